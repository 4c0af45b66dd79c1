import { Type } from 'typebox';
import { parseBodyDateTime } from '../open-banking/iso8601.js';
import { mostFaults, OpenBankingError, type ErrorDetail } from '../open-banking/errors.js';
import { permissionCodes, type Permission } from '../open-banking/permissions.js';
import type { StatedDateTime } from './consent.js';
import { judgePermissions } from './requested-permissions.js';

/** Any ISO 8601 date-time. The format `date-time` means RFC 3339, which would refuse too much. */
const optionalDateTime = (meaning: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], description: `An ISO 8601 date-time. ${meaning}` }),
  );

/** OBReadConsent1 of the standard. `null` counts as absent. */
export const ConsentRequestSchema = Type.Object(
  {
    Data: Type.Object(
      {
        Permissions: Type.Array(Type.String(), {
          description: `Permission codes of the standard; one that is named twice counts once. Known: ${permissionCodes.join(', ')}.`,
          examples: [['ReadAccountsDetail', 'ReadBalances', 'ReadParty']],
        }),
        ExpirationDateTime: optionalDateTime('When the consent ends; open-ended when absent.'),
        TransactionFromDateTime: optionalDateTime(
          'Start of the consented history, not in the future; open-ended when absent.',
        ),
        TransactionToDateTime: optionalDateTime(
          'End of the consented history, not in the future; open-ended when absent.',
        ),
      },
      { additionalProperties: false },
    ),
    Risk: Type.Object({}, { additionalProperties: false, description: 'Required, and empty.' }),
  },
  {
    title: 'ReadConsent',
    additionalProperties: false,
    examples: [
      {
        Data: {
          Permissions: [
            'ReadAccountsDetail',
            'ReadBalances',
            'ReadParty',
            'ReadTransactionsDetail',
            'ReadTransactionsCredits',
            'ReadTransactionsDebits',
          ],
          TransactionFromDateTime: '2026-01-01T00:00:00+00:00',
        },
        Risk: {},
      },
    ],
  },
);

/** How far a TPP's clock may be ahead of ours before its "now" counts as the future. */
export const clockToleranceMs = 60_000;

export interface ConsentTerms {
  readonly permissions: readonly Permission[];
  readonly expires?: StatedDateTime;
  readonly transactionsFrom?: StatedDateTime;
  readonly transactionsTo?: StatedDateTime;
}

/**
 * Reads the TPP's request for a consent by the rules of docs/specification.md, "Consents". Throws `OpenBankingError` (400)
 * with every fault, in the order of the members.
 * @param ofForm the faults of the body's form; a member that has one is not checked again
 */
export function readConsentRequest(
  request: unknown,
  ofForm: readonly ErrorDetail[],
  refusedPermissions: readonly Permission[],
  nowMs: number,
): ConsentTerms {
  const data = membersOf(membersOf(request)['Data']);
  const codes = data['Permissions'];
  const requested = Array.isArray(codes) ? judgePermissions(codes, refusedPermissions) : undefined;
  const { dates, faults: ofDates } = judgeDates(data, nowMs);
  const faults = [...ofForm, ...(requested?.faults ?? []), ...ofDates];
  const [first] = inOrder(faults);
  if (first !== undefined)
    throw new OpenBankingError(first.kind ?? 'field-invalid', inOrder(faults).slice(0, mostFaults), {
      reason: first.kind === 'field-date' ? 'date-invalid' : 'field-invalid',
    });
  return { permissions: requested?.permissions ?? [], ...dates };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

type Dates = Pick<ConsentTerms, 'expires' | 'transactionsFrom' | 'transactionsTo'>;

function judgeDates(
  data: Readonly<Record<string, unknown>>,
  nowMs: number,
): { readonly dates: Dates; readonly faults: readonly ErrorDetail[] } {
  const faults: ErrorDetail[] = [];
  const wrong = (name: string, fault: string): void =>
    void faults.push({ kind: 'field-date', message: `${name} ${fault}.`, path: `Data.${name}` });
  const read = (name: string): StatedDateTime | undefined => {
    const text = data[name];
    // Absent, or reported as a fault of the body's form.
    if (typeof text !== 'string') return undefined;
    const date = parseBodyDateTime(text);
    if (date === undefined) wrong(name, 'is not an ISO 8601 date-time, e.g. 2026-05-02T00:00:00+00:00');
    return date;
  };
  const expires = read('ExpirationDateTime');
  const [from, to] = [read('TransactionFromDateTime'), read('TransactionToDateTime')];
  const inFuture = (date: StatedDateTime | undefined): boolean =>
    date !== undefined && date.atMs > nowMs + clockToleranceMs;
  if (expires && expires.atMs <= nowMs) wrong('ExpirationDateTime', 'lies in the past');
  if (inFuture(from)) wrong('TransactionFromDateTime', futureHistory);
  if (inFuture(to)) wrong('TransactionToDateTime', futureHistory);
  if (from && to && from.atMs > to.atMs) wrong('TransactionFromDateTime', 'lies after TransactionToDateTime');
  return {
    dates: { ...(expires && { expires }), ...(from && { transactionsFrom: from }), ...(to && { transactionsTo: to }) },
    faults,
  };
}

const futureHistory =
  'lies in the future, which a rule of this bank forbids: leave the member out, and the history is open-ended';

/** The members in the standard's order. Unknown members come after the known ones of their object. */
const order = [
  ...(['Data.Permissions', 'Data.ExpirationDateTime', 'Data.TransactionFromDateTime'] as const),
  ...(['Data.TransactionToDateTime', 'Data', 'Risk', ''] as const),
];

/** By member, and codes by their place in the list. The fault of one code stands before a fault of the whole list. */
function inOrder(faults: readonly ErrorDetail[]): ErrorDetail[] {
  const rank = ({ path = '' }: ErrorDetail): number => order.findIndex((begin) => path.startsWith(begin));
  const place = ({ path = '' }: ErrorDetail): number => Number(/\[(\d+)\]$/.exec(path)?.[1] ?? Infinity);
  return faults.toSorted((a, b) => rank(a) - rank(b) || (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
}
