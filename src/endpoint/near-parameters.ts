import type { QueryReader } from './endpoint-rule.js';

/** A query parameter that the gateway ignores, and the one that its name nearly is. */
export interface NearParameter {
  /** As the endpoint's list of near misses writes it: never the text of the request. */
  readonly given: string;
  readonly meant: string;
}

/** Names that TPPs give to the edges of a range of dates. */
export const nearDates = {
  from: ['fromDate', 'fromDateTime', 'from', 'dateFrom', 'startDate', 'startDateTime'],
  to: ['toDate', 'toDateTime', 'to', 'dateTo', 'endDate', 'endDateTime'],
};

/**
 * The ignored parameters of a query that are nearly right. Case and separators do not count. A link that a TPP
 * copies out of a document may have `&amp;` for `&`, which puts `amp;` before the name.
 */
export function nearParameters(
  query: Readonly<Record<string, unknown>>,
  { parameters, nearMisses }: Pick<QueryReader, 'parameters' | 'nearMisses'>,
): NearParameter[] {
  const names = Object.keys(query).filter((name) => !Object.hasOwn(parameters, name) && name.length <= longestName);
  if (names.length === 0) return [];
  const asked = new Set(names.map(plain));
  return Object.entries(nearMisses).flatMap(([meant, misses]) => {
    const given = [...misses, ...[meant, ...misses].map(escaped)].find((miss) => asked.has(plain(miss)));
    return given === undefined ? [] : [{ given, meant }];
  });
}

const escaped = (name: string): string => `amp;${name}`;
const longestName = 64;

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** The value of the header `Warning` (RFC 7234, section 5.5.7): 299 is a warning of any other kind. */
export function warningOf(near: readonly NearParameter[]): string {
  return near.map((one) => `299 - "${adviceOn(one)}"`).join(', ');
}

/** A name that differs in case or separators only is not repeated: the TPP may have written it in yet another way. */
function adviceOn({ given, meant }: NearParameter): string {
  return plain(given) === plain(meant)
    ? `A parameter is ignored because it is not spelt exactly ${meant}`
    : `The parameter ${given} is ignored: its name is ${meant}`;
}
