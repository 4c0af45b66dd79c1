import { readCursor, type ConsentPage } from '../consents/consent-page.js';
import { OpenBankingError } from '../open-banking/errors.js';

const most = 1_000;
const defaultLimit = 100;

/** The page of a list of consents that the caller asks for: `limit` and `cursor`, and nothing else. */
export function readConsentsQuery(query: Readonly<Record<string, unknown>>): ConsentPage {
  const { limit = String(defaultLimit), cursor, ...unknown } = query;
  for (const name of Object.keys(unknown)) throw invalid(name, 'is not a parameter of this list: limit and cursor are');
  if (typeof limit !== 'string' || !/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > most)
    throw invalid('limit', `must be a number from 1 to ${most}`);
  if (cursor === undefined) return { limit: Number(limit) };
  const after = typeof cursor === 'string' ? readCursor(cursor) : undefined;
  if (after === undefined) throw invalid('cursor', 'is not a NextCursor of this list');
  return { limit: Number(limit), after };
}

function invalid(path: string, what: string): OpenBankingError {
  // The name of an unknown parameter is not repeated: it can contain anything.
  const named = path === 'limit' || path === 'cursor' ? path : 'A parameter';
  return new OpenBankingError('field-invalid', { message: `${named} ${what}.`, path: named === path ? path : 'query' });
}
