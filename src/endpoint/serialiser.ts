import type { TSchema } from 'typebox';
import { CoreError } from '../../packages/core-adapter/core-error.js';

/**
 * Compiles the schema of a resource's answer to the function that writes it as JSON. Only declared members are written,
 * the required ones first; an absent optional one is omitted. A value that is not of its declared type is a bad record
 * ({@link CoreError}) that names the member, never the value: the mappers are typed, so it came through the adapter.
 *
 * Not Fastify's own serialiser: that joins four texts for each member, this one two, which on a page of transactions
 * is a twelfth of the whole request. As it does, this makes JavaScript of the schema: never give it one from outside.
 *
 * @throws Error at once when the schema has a part that no answer has had before.
 */
export function compileSerialiser(schema: TSchema): (answer: unknown) => string {
  const lists: string[] = [];
  const answer = joined(written(schema, 'answer', 'answer', lists));
  const source = `${lists.join('\n')}\nreturn (answer) => ${answer};`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- made of nothing but the names in our own schemas
  const make = new Function('object', 'text', 'escaped', 'decimal', 'scalar', 'wrong', source) as (
    ...tools: unknown[]
  ) => (answer: unknown) => string;
  return make(object, text, escaped, decimal, scalar, wrong);
}

/** The part of JSON Schema that the answers use. */
interface Part {
  readonly type?: string | readonly string[];
  readonly ownText?: boolean;
  readonly decimalText?: boolean;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly items?: Part;
}

/** A text that is the same in every answer, or the JavaScript that gives one. */
type Piece = { readonly constant: string } | { readonly code: string };

/**
 * @param value the JavaScript that reads the value
 * @param path the name of the value in an error
 * @param lists takes the functions that the pieces call
 */
function written(part: Part, value: string, path: string, lists: string[]): readonly Piece[] {
  const called = JSON.stringify(path);
  if (part.properties) return members(part.properties, part.required ?? [], value, path, lists);
  if (part.items) {
    const row = joined(written(part.items, 'row', `${path}[]`, lists));
    const name = `list${lists.length}`;
    lists.push(`const ${name} = (rows) =>
      Array.isArray(rows) ? rows.map((row) => ${row}).join(',') : wrong(${called});`);
    return [{ constant: '[' }, { code: `${name}(${value})` }, { constant: ']' }];
  }
  if (part.type === 'string') {
    const read = part.ownText ? 'text' : 'escaped';
    return [{ constant: '"' }, { code: `${read}(${value}, ${called})` }, { constant: '"' }];
  }
  if (part.decimalText) return [{ code: `decimal(${value}, ${called})` }];
  const types = [part.type ?? 'none'].flat();
  if (!types.every((type) => ['boolean', 'number', 'string'].includes(type)))
    throw new Error(`${path}: the serialiser cannot write a part of type ${types.join(' or ')}`);
  return [{ code: `scalar(${value}, ${JSON.stringify(types)}, ${called})` }];
}

function members(
  properties: Readonly<Record<string, Part>>,
  required: readonly string[],
  value: string,
  path: string,
  lists: string[],
): readonly Piece[] {
  const member = (name: string, holder = value): Piece[] => {
    const key = JSON.stringify(name);
    return [
      { constant: `${key}:` },
      ...written(properties[name] as Part, `${holder}[${key}]`, `${path}.${name}`, lists),
    ];
  };
  const checked = `object(${value}, ${JSON.stringify(path)})`;
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  // Each optional member begins with a comma, so a required one must come first.
  if (optional.length > 0 && required.length === 0) throw new Error(`${path}: none of its members is required`);
  return [
    { constant: '{' },
    // The first member that is read shows whether the object is there.
    ...required.flatMap((name, index) => (index === 0 ? member(name, checked) : [{ constant: ',' }, ...member(name)])),
    ...optional.map((name) => ({
      code: `(${value}[${JSON.stringify(name)}] === undefined ? '' : ${joined([{ constant: ',' }, ...member(name)])})`,
    })),
    { constant: '}' },
  ];
}

/** One expression in which neighbouring constants are one text. */
function joined(pieces: readonly Piece[]): string {
  const parts: string[] = [];
  let constant = '';
  for (const piece of pieces) {
    if ('constant' in piece) {
      constant += piece.constant;
      continue;
    }
    if (constant !== '') parts.push(JSON.stringify(constant));
    parts.push(piece.code);
    constant = '';
  }
  return [...parts, JSON.stringify(constant)].join(' + ');
}

function object(value: unknown, path: string): object {
  return typeof value === 'object' && value !== null ? value : wrong(path);
}

function text(value: unknown, path: string): string {
  return typeof value === 'string' ? value : wrong(path);
}

/** As JSON has it between the quotes; half of a surrogate pair becomes an escape. */
function escaped(value: unknown, path: string): string {
  const read = text(value, path);
  // Not a regular expression: to begin one costs more than to read a short text.
  for (let index = 0; index < read.length; index++) {
    const unit = read.charCodeAt(index);
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
    if (unit < 0x20 || unit === quote || unit === backslash || isSurrogate) return JSON.stringify(read).slice(1, -1);
  }
  return read;
}
const quote = 0x22;
const backslash = 0x5c;

/** The digits of a JSON number, whatever their count, or the empty text. */
function decimal(value: unknown, path: string): string {
  if (value === '') return '""';
  return typeof value === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) ? value : wrong(path);
}

/** The few that are not texts alone. */
function scalar(value: unknown, types: readonly string[], path: string): string {
  const isNumber = typeof value === 'number';
  return types.includes(typeof value) && (!isNumber || Number.isFinite(value)) ? JSON.stringify(value) : wrong(path);
}

function wrong(path: string): never {
  throw new CoreError('bad-record', `${path} is not of the type that its schema says: see the adapter's record`);
}
