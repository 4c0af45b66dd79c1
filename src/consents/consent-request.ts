import { Type, type Static } from 'typebox';
import { parseBodyDateTime } from '../open-banking/iso8601.js';
import { OpenBankingError, type ErrorDetail } from '../open-banking/errors.js';
import {
  accountPermissions,
  isPermission,
  permissionCodes,
  transactionDirections,
  transactionLevels,
  type Permission,
} from '../open-banking/permissions.js';
import type { StatedDateTime } from './consent.js';

/** Any ISO 8601 date-time, so the format `date-time`, which is RFC 3339 and checked as such, would refuse too much. */
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
        TransactionFromDateTime: optionalDateTime('Start of the consented history; open-ended when absent.'),
        TransactionToDateTime: optionalDateTime('End of the consented history; open-ended when absent.'),
      },
      { additionalProperties: false },
    ),
    Risk: Type.Object({}, { additionalProperties: false, description: 'Required, and empty.' }),
  },
  { title: 'ReadConsent', additionalProperties: false },
);
export type ConsentRequest = Static<typeof ConsentRequestSchema>;

/** How far a TPP's clock may be ahead of ours before its "now" is the future. */
export const clockToleranceMs = 60_000;

export interface ConsentTerms {
  readonly permissions: readonly Permission[];
  readonly expires?: StatedDateTime;
  readonly transactionsFrom?: StatedDateTime;
  readonly transactionsTo?: StatedDateTime;
}

/**
 * Reads the TPP's request for a consent by the rules of docs/specification.md, "Consents", and the standard's mandatory
 * combinations of permissions. Throws `OpenBankingError` (400) with
 * the path of every field at fault of the first kind found.
 */
export function readConsentRequest(
  request: ConsentRequest,
  refusedPermissions: readonly Permission[],
  nowMs: number,
): ConsentTerms {
  const { Data } = request;
  const permissions = readPermissions(Data.Permissions, refusedPermissions);
  const expires = readDate(Data.ExpirationDateTime, 'ExpirationDateTime');
  const transactionsFrom = readDate(Data.TransactionFromDateTime, 'TransactionFromDateTime');
  const transactionsTo = readDate(Data.TransactionToDateTime, 'TransactionToDateTime');

  const latestMs = nowMs + clockToleranceMs;
  if (expires && expires.atMs <= nowMs) throw wrongDate('ExpirationDateTime', 'lies in the past');
  if (transactionsFrom && transactionsFrom.atMs > latestMs)
    throw wrongDate('TransactionFromDateTime', 'lies in the future');
  if (transactionsTo && transactionsTo.atMs > latestMs) throw wrongDate('TransactionToDateTime', 'lies in the future');
  if (transactionsFrom && transactionsTo && transactionsFrom.atMs > transactionsTo.atMs)
    throw wrongDate('TransactionFromDateTime', 'lies after TransactionToDateTime');

  return {
    permissions,
    ...(expires && { expires }),
    ...(transactionsFrom && { transactionsFrom }),
    ...(transactionsTo && { transactionsTo }),
  };
}

function readPermissions(codes: readonly string[], refused: readonly Permission[]): Permission[] {
  if (codes.length === 0) throw invalid({ message: 'Name at least one permission code.', path: 'Data.Permissions' });
  const faults: ErrorDetail[] = [];
  const permissions: Permission[] = [];
  for (const [index, code] of codes.entries()) {
    const path = `Data.Permissions[${index}]`;
    if (!isPermission(code)) faults.push({ message: 'This is not a permission code of the standard.', path });
    else if (refused.includes(code)) faults.push({ message: `The bank does not support ${code}.`, path });
    else permissions.push(code);
  }
  // A body of 64 KiB can hold thousands of wrong codes; a few tell as much.
  if (faults.length > 0) throw invalid(faults.slice(0, 20));

  const held = new Set(permissions);
  const path = 'Data.Permissions';
  const holdsLevel = transactionLevels.some((code) => held.has(code));
  const holdsDirection = transactionDirections.some((code) => held.has(code));
  if (holdsLevel && !holdsDirection)
    throw invalid({
      message: `${transactionLevels.join(' or ')} needs ${transactionDirections.join(' or ')} with it.`,
      path,
    });
  if (holdsDirection && !holdsLevel)
    throw invalid({
      message: `${transactionDirections.join(' or ')} needs ${transactionLevels.join(' or ')} with it.`,
      path,
    });
  if (!accountPermissions.some((code) => held.has(code)))
    throw invalid({
      message: `Ask for ${accountPermissions.join(' or ')} as well: every consent needs one of them.`,
      path,
    });
  return [...held];
}

function readDate(text: string | null | undefined, name: string): StatedDateTime | undefined {
  if (text === undefined || text === null) return undefined;
  const date = parseBodyDateTime(text);
  if (date === undefined) throw wrongDate(name, 'is not an ISO 8601 date-time, e.g. 2026-05-02T00:00:00+00:00');
  return date;
}

function invalid(details: ErrorDetail | readonly ErrorDetail[]): OpenBankingError {
  return new OpenBankingError('field-invalid', details);
}

function wrongDate(name: string, fault: string): OpenBankingError {
  return new OpenBankingError('field-date', { message: `${name} ${fault}.`, path: `Data.${name}` });
}
