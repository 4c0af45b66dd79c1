type Json = Record<string, unknown>;

/**
 * Moves every schema that has a title to `schemas` and leaves a reference in its place. Removes the keywords that only the
 * serialiser uses.
 */
export function nameSchemas(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => nameSchemas(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { title, ownText: _, decimalText: __, ...rest } = value as Json;
  const walked = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, nameSchemas(item, schemas)]));
  if (typeof title !== 'string') return title === undefined ? walked : { title, ...walked };
  const earlier = schemas[title];
  if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(walked))
    throw new Error(`two different schemas have the title ${title}`);
  schemas[title] = walked;
  return { $ref: `#/components/schemas/${title}` };
}
