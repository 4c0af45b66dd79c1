import { isDeepStrictEqual } from 'node:util';

export type Json = Readonly<Record<string, unknown>>;

/** Sent by the client, or received by it. What one may loosen, the other may not. */
export type Direction = 'request' | 'response';

/** A change by which a client that worked with the release can fail. */
export interface BreakingChange {
  /** The rule, by its name in oasdiff where that has it. */
  readonly rule: string;
  /** By which the changelog announces it: `GET /accounts`, or `Account.Nickname` for a field of a schema. */
  readonly place: string;
}

/** A schema and where it is, in one document. */
interface Side {
  readonly document: Json;
  readonly schema: unknown;
}

type Report = (rule: string, place: string) => void;

/** Keywords that explain and do not judge. */
const explaining = new Set([
  'title',
  'description',
  'examples',
  'example',
  'default',
  'deprecated',
  '$comment',
  'externalDocs',
]);
const lowerBounds = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
const upperBounds = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];
const lists = ['anyOf', 'oneOf', 'allOf'];
const compared = new Set([
  ...lowerBounds,
  ...upperBounds,
  ...lists,
  'type',
  'enum',
  'required',
  'properties',
  'additionalProperties',
  'items',
]);

/**
 * Compares two schemas by oasdiff's rules. A keyword that has no rule here is breaking when it changes: the gate may ask for
 * an announcement too many, and never lets a break through.
 */
export function compareSchemas(
  before: Side,
  after: Side,
  place: string,
  direction: Direction,
  report: Report,
  within: ReadonlySet<unknown> = new Set(),
): void {
  const name = nameOf(before.schema) ?? place;
  const old = dereferenced(before.document, before.schema);
  const now = dereferenced(after.document, after.schema);
  // A schema that contains itself.
  if (within.has(old)) return;
  const inside = new Set([...within, old]);
  const isRequest = direction === 'request';
  const tell = (rule: string, at = name): void => report(`${direction}-${rule}`, at);

  const types = valuesOf(old['type']);
  const typesNow = valuesOf(now['type']);
  if (!isAllowed(types, typesNow, isRequest)) tell('type-changed');
  const values = valuesOf(old['enum']);
  const valuesNow = valuesOf(now['enum']);
  if (!isAllowed(values, valuesNow, isRequest)) tell(isRequest ? 'enum-value-removed' : 'enum-value-added');
  for (const bound of lowerBounds) if (isTighter(old[bound], now[bound], isRequest, 1)) tell(`${bound}-changed`);
  for (const bound of upperBounds) if (isTighter(old[bound], now[bound], isRequest, -1)) tell(`${bound}-changed`);

  const descend = (schema: unknown, schemaNow: unknown, at: string): void => {
    compareSchemas({ ...before, schema }, { ...after, schema: schemaNow }, at, direction, report, inside);
  };
  const below = (word: string, at: string): void => {
    if (isObject(old[word]) && isObject(now[word])) descend(old[word], now[word], at);
  };
  for (const list of lists) {
    const [parts, partsNow] = [valuesOf(old[list]) ?? [], valuesOf(now[list]) ?? []];
    if (parts.length !== partsNow.length) tell(`${list}-changed`);
    else parts.forEach((part, index) => descend(part, partsNow[index], `${name}.${list}[${index}]`));
  }
  compareProperties();
  below('items', `${name}[]`);
  if (isRequest ? 'items' in now && !('items' in old) : 'items' in old && !('items' in now)) tell('items-changed');
  below('additionalProperties', `${name}.*`);
  const open = old['additionalProperties'] ?? true;
  const openNow = now['additionalProperties'] ?? true;
  if (isRequest && !isDeepStrictEqual(open, openNow) && openNow !== true && !(isObject(open) && isObject(openNow)))
    tell('additional-properties-closed');

  for (const word of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (explaining.has(word) || compared.has(word)) continue;
    if (isDeepStrictEqual(expanded(before.document, old[word]), expanded(after.document, now[word]))) continue;
    // The new schema says more about what the client receives, or less about what it sends.
    if (isRequest ? !(word in now) : !(word in old)) continue;
    tell(`${word}-changed`);
  }

  function compareProperties(): void {
    const properties = objectOf(old['properties']);
    const propertiesNow = objectOf(now['properties']);
    const required = valuesOf(old['required']) ?? [];
    const requiredNow = valuesOf(now['required']) ?? [];
    for (const [property, schema] of Object.entries(properties)) {
      const at = `${name}.${property}`;
      if (!Object.hasOwn(propertiesNow, property)) tell('property-removed', at);
      else descend(schema, propertiesNow[property], at);
    }
    const [demanded, demandedBefore] = isRequest ? [requiredNow, required] : [required, requiredNow];
    for (const property of demanded) {
      // One that is gone is told above.
      if (demandedBefore.includes(property) || !Object.hasOwn(propertiesNow, String(property))) continue;
      tell(isRequest ? 'property-became-required' : 'property-became-optional', `${name}.${String(property)}`);
    }
  }
}

/** @returns the part of the document to which a reference leads, or the part itself */
export function dereferenced(document: Json, part: unknown): Json {
  let found = objectOf(part);
  while (typeof found['$ref'] === 'string') {
    const reference = found['$ref'];
    const steps = reference.slice('#/'.length).split('/');
    found = steps.reduce<Json>((at, step) => objectOf(at[step.replaceAll('~1', '/').replaceAll('~0', '~')]), document);
    if (Object.keys(found).length === 0) throw new Error(`${reference} leads nowhere in the document`);
  }
  return found;
}

/** The value with the parts to which its references lead, so that a change behind a reference is seen. */
function expanded(document: Json, value: unknown, within: readonly unknown[] = []): unknown {
  if (Array.isArray(value)) return value.map((part) => expanded(document, part, within));
  if (!isObject(value)) return value;
  const part = typeof value['$ref'] === 'string' ? dereferenced(document, value) : value;
  if (within.includes(part)) return 'itself';
  const inside = [...within, part];
  return Object.fromEntries(Object.entries(part).map(([key, below]) => [key, expanded(document, below, inside)]));
}

/** The name of a shared schema, which is its place wherever it is used. */
function nameOf(part: unknown): string | undefined {
  const { $ref } = objectOf(part);
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list, or a value without one; undefined allows everything. */
function valuesOf(value: unknown): readonly unknown[] | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

/** Whether a client may go on sending the old values, or receives none but the old ones. */
function isAllowed(
  old: readonly unknown[] | undefined,
  now: readonly unknown[] | undefined,
  isRequest: boolean,
): boolean {
  const [allowed, used] = isRequest ? [now, old] : [old, now];
  if (allowed === undefined) return true;
  return used !== undefined && used.every((value) => allowed.some((other) => isDeepStrictEqual(other, value)));
}

/** Whether a bound refuses what a client sent, or lets through what it never received. @param sign 1 for a lower bound */
function isTighter(old: unknown, now: unknown, isRequest: boolean, sign: 1 | -1): boolean {
  const strictness = (value: unknown): number => (typeof value === 'number' ? sign * value : -Infinity);
  return isRequest ? strictness(now) > strictness(old) : strictness(now) < strictness(old);
}
