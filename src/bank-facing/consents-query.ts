import type { Static } from 'typebox';
import { readCursor, type ConsentPage } from '../consents/consent-page.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { type ConsentsQuery, defaultLimit } from './bank-facing.schema.js';

/** The page of a list of consents that the caller asks for. @throws OpenBankingError for a cursor of another list or day */
export function pageOf({ limit = defaultLimit, cursor }: Static<typeof ConsentsQuery>, nowMs: number): ConsentPage {
  if (cursor === undefined) return { limit };
  const after = readCursor(cursor, nowMs);
  if (after === undefined)
    throw new OpenBankingError('field-invalid', {
      message: 'cursor is not a NextCursor of this list, or it is older than a day: begin with the first page.',
      path: 'cursor',
    });
  return { limit, after };
}
