import type { ErrorKind } from '../open-banking/error-table.js';
import { parseBodyDateTime } from '../open-banking/iso8601.js';
import { mostFaults, OpenBankingError, type ErrorDetail } from '../open-banking/errors.js';
import type { Permission } from '../open-banking/permissions.js';
import { soleReasons, type RefusalReason } from '../open-banking/reasons.js';
import { bodyField, type Rule } from '../open-banking/rules.js';
import type { ConsentTerm } from '../endpoint/api-version.js';
import type { NamedAccount, StatedConsent, StatedDateTime } from '../open-banking/consent-state.js';
import { namedAccount, type DebtorAccount } from '../versions/shared/funds.js';
import { checkPermissions } from './requested-permissions.js';

/** How far a TPP's clock may be ahead of ours before its "now" counts as the future. */
export const clockToleranceMs = 60_000;

export type ConsentTerms = Pick<StatedConsent, ConsentTerm>;

/** The names of the terms in the version of the request. */
type Names = Readonly<Record<ConsentTerm, string>>;

/**
 * Reads the TPP's request for a consent by the rules of docs/specification.md, "Consents". Throws `OpenBankingError` (400)
 * with every fault, in the order of the members.
 * @param names of the terms, below `Data`
 * @param ofForm the faults of the body's form; a member that has one is not checked again
 */
export function readConsentRequest(
  request: unknown,
  names: Names,
  ofForm: readonly ErrorDetail[],
  refusedPermissions: readonly Permission[],
  nowMs: number,
): ConsentTerms {
  const data = membersOf(membersOf(request)['Data']);
  const codes = data[names.permissions];
  const path = pathOf(names.permissions);
  const requested = Array.isArray(codes) ? checkPermissions(codes, path, refusedPermissions) : undefined;
  const { dates, faults: ofDates } = checkDates(data, names, nowMs);
  // The standard names a code for the absence of this member alone.
  const formFaults = ofForm.map((fault) =>
    codes === undefined && fault.path === path ? { ...fault, kind: 'field-missing' as const } : fault,
  );
  refuseFaults(inOrder([...formFaults, ...(requested?.faults ?? []), ...ofDates], names));
  return { permissions: requested?.permissions ?? [], ...dates };
}

export interface FundsTerms {
  readonly debtor: NamedAccount;
  readonly expires?: StatedDateTime;
}

/** Reads the TPP's request for a consent for confirmation of funds. Throws as {@link readConsentRequest} does. */
export function readFundsConsentRequest(request: unknown, ofForm: readonly ErrorDetail[], nowMs: number): FundsTerms {
  const data = membersOf(membersOf(request)['Data']);
  const { dates, faults } = checkDates(data, { expires: 'ExpirationDateTime' }, nowMs);
  refuseFaults([...faults, ...ofForm]);
  const { expires } = dates;
  return { debtor: namedAccount(data['DebtorAccount'] as DebtorAccount), ...(expires && { expires }) };
}

function refuseFaults(faults: readonly ErrorDetail[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const kind = first.kind ?? 'field-invalid';
  throw new OpenBankingError(kind, faults.slice(0, mostFaults), { reason: reasons[kind] ?? 'body-invalid' });
}

/** By the kind of a body's first fault. */
const reasons: Partial<Record<ErrorKind, RefusalReason>> = soleReasons;

function pathOf(name: string): string {
  return `Data.${name}`;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

type Dates = Omit<ConsentTerms, 'permissions'>;

function checkDates(
  data: Readonly<Record<string, unknown>>,
  names: Pick<Names, 'expires'> & Partial<Names>,
  nowMs: number,
): { readonly dates: Dates; readonly faults: readonly ErrorDetail[] } {
  const { expires: expiresName, transactionsFrom: fromName = '', transactionsTo: toName = '' } = names;
  const faults: ErrorDetail[] = [];
  const wrong = (name: string, rule: Rule, fault: string): void => {
    const path = pathOf(name);
    faults.push({ kind: 'field-date', message: `${name} ${fault}.`, path, field: bodyField(path), rule });
  };
  const read = (name: string): StatedDateTime | undefined => {
    const text = data[name];
    // Absent, or reported as a fault of the body's form.
    if (typeof text !== 'string') return undefined;
    const date = parseBodyDateTime(text);
    if (date === undefined) wrong(name, 'date-time', 'is not an ISO 8601 date-time, e.g. 2026-05-02T00:00:00+00:00');
    return date;
  };
  const expires = read(expiresName);
  const [from, to] = [read(fromName), read(toName)];
  const inFuture = (date: StatedDateTime | undefined): boolean =>
    date !== undefined && date.atMs > nowMs + clockToleranceMs;
  if (expires && expires.atMs <= nowMs) wrong(expiresName, 'in-future', 'is in the past');
  if (inFuture(from)) wrong(fromName, 'not-in-future', futureHistory);
  if (inFuture(to)) wrong(toName, 'not-in-future', futureHistory);
  if (from && to && from.atMs > to.atMs) wrong(fromName, 'order', `is later than ${toName}`);
  return {
    dates: { ...(expires && { expires }), ...(from && { transactionsFrom: from }), ...(to && { transactionsTo: to }) },
    faults,
  };
}

const futureHistory =
  'is in the future, which a rule of this bank forbids: omit the member, and the history is open-ended';

/**
 * By member, in the version's order, and codes by their place in the list. The fault of one code stands before a fault of the
 * whole list. Unknown members come after the known ones of their object.
 */
function inOrder(faults: readonly ErrorDetail[], names: Names): ErrorDetail[] {
  const order = [...Object.values(names).map(pathOf), 'Data', 'Risk', ''];
  const rank = ({ path = '' }: ErrorDetail): number => order.findIndex((begin) => path.startsWith(begin));
  const index = ({ path = '' }: ErrorDetail): number => Number(/\[(\d+)\]$/.exec(path)?.[1] ?? Infinity);
  return faults.toSorted((a, b) => rank(a) - rank(b) || (index(a) < index(b) ? -1 : index(a) > index(b) ? 1 : 0));
}
