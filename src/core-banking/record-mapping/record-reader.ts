import type { Row } from '../../../packages/core-adapter/core-rows.js';
import { isSource, type Mapping, type Source } from './mapping.js';
import type { Fields, Group } from './record-fields.js';
import { type Surroundings, type ValueReader, valueReader } from './values.js';

/**
 * The reader of a record, made once from the mapping. Its fields are the port's, because `fields` lists them; it throws
 * RowFault for a row that it cannot read.
 */
export function recordReader(
  fields: Fields,
  mapping: Mapping,
  surroundings: Surroundings,
): (row: Row, currency: string) => Readonly<Record<string, unknown>> {
  const readers: [string, ValueReader][] = [];
  for (const [name, field] of Object.entries(fields)) {
    const source = mapping[name];
    if (source === undefined) continue;
    const reader =
      field.kind === 'group'
        ? groupReader(field, source as Mapping, surroundings)
        : valueReader(field, source as Source, surroundings);
    readers.push([name, reader]);
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

function groupReader({ fields, optional, build }: Group, mapping: Mapping, surroundings: Surroundings): ValueReader {
  const read = recordReader(fields, mapping, surroundings);
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
