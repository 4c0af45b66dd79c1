/**
 * The rules that a member, a parameter or a header can break, each as the end of a sentence that begins with the name of
 * the field: "Needed to pass: the header Host, sent once". A closed list: an event of the trail has the name of
 * the rule and that of the field, and never a value of the request.
 */
export const rules = {
  required: '',
  once: ', sent once',
  'declared-members': ', with the members that the OpenAPI document declares and no other',
  'json-object': ', as a JSON object in UTF-8',
  'json-type': ', in the JSON type that the OpenAPI document declares',
  length: ', with a length that the OpenAPI document declares',
  value: ', with a value that the OpenAPI document declares',
  'date-time': ', as an ISO 8601 date-time with its zone, such as 2026-05-02T00:00:00+00:00',
  date: ', as an ISO 8601 date or date-time, such as 2026-05-02 or 2026-05-02T09:30:00',
  'in-future': ', in the future of the request',
  'not-in-future': ', not in the future of the request',
  order: ', not later than the end of the range',
  uuid: ', as one UUID, or without it',
  bearer: ', as the word Bearer, a blank and the access token',
  'accept-json': ', in a form that admits application/json in UTF-8, or without it',
  'media-type': ', as application/json in UTF-8',
  uncompressed: ' absent, and an uncompressed body',
  'own-host': ', with the published host and port of this listener',
  link: ', as the links of an answer have it, with the same consent, account and filters',
  permission: ', as a permission code of the standard that the bank supports',
  'permission-group': ', with the further codes that the standard demands in addition to these',
} as const;
export type Rule = keyof typeof rules;

/** Where a request broke a rule: `query:fromBookingDateTime`, `header:Accept`, `body:Data.Permissions[2]`, or the whole body. */
export type Field = `${'query' | 'header' | 'body'}:${string}` | 'body';

/** A declared member of the body, by its JSON path; `''` is the whole body. */
export function bodyField(path: string): Field {
  return path === '' ? 'body' : `body:${path}`;
}
