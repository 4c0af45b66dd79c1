import pg from 'pg';
import type { Cell, CellKind, ParameterKind } from '../dialect.js';

const { builtins } = pg.types;

const kinds: ReadonlyMap<number, CellKind> = new Map<number, CellKind>([
  ...[builtins.TEXT, builtins.VARCHAR, builtins.BPCHAR, builtins.CHAR, builtins.UUID].map(
    (id) => [id, 'text'] as const,
  ),
  ...[builtins.INT2, builtins.INT4, builtins.INT8, builtins.NUMERIC].map((id) => [id, 'number'] as const),
  [builtins.BOOL, 'boolean'],
  [builtins.DATE, 'day'],
  [builtins.TIMESTAMP, 'local-time'],
  [builtins.TIMESTAMPTZ, 'instant'],
]);

/** The kind of a column by its type; an enumeration is a text. */
export function cellKind(type: number, enumerations: ReadonlySet<number>): CellKind {
  return kinds.get(type) ?? (enumerations.has(type) ? 'text' : 'other');
}

const greatest: ReadonlyMap<number, bigint> = new Map([
  [Number(builtins.INT2), 2n ** 15n - 1n],
  [Number(builtins.INT4), 2n ** 31n - 1n],
  [Number(builtins.INT8), 2n ** 63n - 1n],
  [Number(builtins.NUMERIC), 10n ** 100n],
]);

export function parameterKind(type: number): ParameterKind {
  const most = greatest.get(type);
  if (most !== undefined) return { greatest: most };
  if (type === Number(builtins.UUID)) return 'uuid';
  return kinds.get(type) === 'text' ? 'text' : 'other';
}

/** Reads a value as {@link Cell} has it. The session writes ISO dates, and instants in UTC. */
export function cellOf(type: number): (text: string) => Cell {
  if (type === Number(builtins.TIMESTAMP) || type === Number(builtins.TIMESTAMPTZ)) return timeCell;
  return type === Number(builtins.BOOL) ? booleanCell : String;
}

function booleanCell(text: string): Cell {
  return text === 't' ? 'true' : 'false';
}

/** `2026-11-20 12:00:17.25+00`. Other texts, such as `infinity`, stay as they are, and no reader accepts them as a time. */
function timeCell(text: string): Cell {
  const [, day, time, fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(\+00)?$/.exec(text) ?? [];
  if (day === undefined) return text;
  return `${day}T${time}.${fraction.padEnd(3, '0')}${zone === '' ? '' : 'Z'}`;
}
