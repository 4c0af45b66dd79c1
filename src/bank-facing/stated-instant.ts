import { OpenBankingError } from '../open-banking/errors.js';
import { parseBodyDateTime } from '../open-banking/iso8601.js';

/** A date-time that an operator states, in milliseconds since 1970. @throws OpenBankingError for any other text */
export function instantOf(path: string, text: string): number {
  const time = parseBodyDateTime(text);
  if (time === undefined)
    throw new OpenBankingError('field-date', {
      message: `${path} is not an ISO 8601 date-time, e.g. 2026-05-02T09:30:00+00:00.`,
      path,
    });
  return time.atMs;
}
