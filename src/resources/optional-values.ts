import { optionalField, RowFault } from '../../packages/core-adapter/core-rows.js';
import type { CoreTime } from '../../packages/core-adapter/core.records.js';
import { formatDateTime } from '../open-banking/date-times.js';

/** A code that is not of its form is omitted and counted: a record is true without it. */
export function optionalCode<Code extends string>(
  field: string,
  code: Code | undefined,
  check: (code: string) => string | undefined,
): Code | undefined {
  return optionalField(field, () => {
    if (code !== undefined && check(code) === undefined) throw new RowFault(field, 'not of its form');
    return code;
  });
}

export function optionalDateTime(field: string, at: CoreTime | undefined): string | undefined {
  return optionalField(field, () => at && formatDateTime(at));
}
