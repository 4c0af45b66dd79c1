import { optionalField, type Row } from '../../../packages/core-adapter/core-rows.js';
import { isSource, type Mapping, type Source } from './mapping.js';
import type { Field, Fields, Group } from './field-kinds.js';
import { type Surroundings, type ValueReader, valueReader } from './values.js';

type RecordReader = (row: Row, currency: string) => Readonly<Record<string, unknown>>;

/**
 * The reader of a record, made once from the mapping. Its fields are the port's, because `fields` lists them. It omits an
 * optional field that it cannot read ({@link optionalField}), and throws RowFault for a required one. In a record without a
 * required field, such as an offer, each field counts: without its fee it would be another offer.
 */
export function recordReader(fields: Fields, mapping: Mapping, surroundings: Surroundings): RecordReader {
  const isStrict = Object.values(fields).every(({ optional }) => optional);
  return fieldsReader(fields, mapping, surroundings, (field, name) => (field.optional && !isStrict ? name : undefined));
}

/** @param toleratedAs the name of a field that is omitted where it cannot be read */
function fieldsReader(
  fields: Fields,
  mapping: Mapping,
  surroundings: Surroundings,
  toleratedAs: (field: Field, name: string) => string | undefined,
): RecordReader {
  const readers: [string, ValueReader][] = [];
  for (const [name, field] of Object.entries(fields)) {
    const source = mapping[name];
    if (source === undefined) continue;
    const reader =
      field.kind === 'group'
        ? groupReader(name, field, source as Mapping, surroundings)
        : valueReader(field, source as Source, surroundings);
    const tolerated = toleratedAs(field, name);
    readers.push([
      name,
      tolerated === undefined ? reader : (row, currency) => optionalField(tolerated, () => reader(row, currency)),
    ]);
  }
  return (row, currency) => {
    const record: Record<string, unknown> = {};
    for (const [name, read] of readers) {
      const value = read(row, currency);
      if (value !== undefined) record[name] = value;
    }
    return record;
  };
}

function groupReader(
  group: string,
  { fields, optional, build }: Group,
  mapping: Mapping,
  surroundings: Surroundings,
): ValueReader {
  const read = fieldsReader(fields, mapping, surroundings, (field, name) =>
    field.optional && build === undefined ? `${group}.${name}` : undefined,
  );
  const [first = ''] = Object.keys(fields);
  const source = mapping[first];
  const column = source !== undefined && isSource(source) && 'column' in source ? source.column : undefined;
  return (row, currency) => {
    if (optional && column !== undefined && isAbsent(row[column])) return undefined;
    const parts = read(row, currency);
    return build === undefined ? parts : build(parts, column ?? first);
  };
}

function isAbsent(cell: unknown): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}
