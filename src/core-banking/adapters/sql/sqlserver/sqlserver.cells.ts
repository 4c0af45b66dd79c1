import type { Bound, Cell, CellKind, ParameterKind } from '../dialect.js';
import type { TediousColumn } from './sqlserver.driver.js';

/** The driver makes a JavaScript number of a decimal. Up to this number of its least units, no digit is lost. */
const mostUnits = 4e15;
/** Stands for a larger one. No reader takes it for a number: its row is a bad record. */
const lost = 'more digits than the driver reads exactly';
/** The driver would not read ordinary amounts exactly where a decimal has more digits after the point. */
const finestScale = 6;

/** Reads a value as {@link Cell} has it. The driver reads every time as if it were in UTC. */
export function cellOf({ value, metadata: { scale = 0, type } }: TediousColumn): Cell {
  if (value === null) return null;
  switch (type.name) {
    case 'DecimalN':
    case 'NumericN':
      return exact(value as number, scale);
    case 'Money':
    case 'MoneyN':
    case 'SmallMoney':
      return exact(value as number, 4);
    case 'Date':
      return (value as Date).toISOString().slice(0, 10);
    case 'DateTime':
    case 'DateTimeN':
    case 'SmallDateTime':
    case 'DateTime2':
      return timeOf(value as Date);
    case 'DateTimeOffset':
      return `${timeOf(value as Date)}Z`;
    default:
      // Whole numbers of 64 bits are texts already.
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

function exact(value: number, scale: number): string {
  return Math.abs(value) * 10 ** scale > mostUnits ? lost : value.toFixed(scale);
}

/** The driver keeps the digits of the second after the third apart, in seconds. */
function timeOf(time: Date & { readonly nanosecondsDelta?: number }): string {
  const finer = String(Math.round((time.nanosecondsDelta ?? 0) * 1e7)).padStart(4, '0');
  return `${time.toISOString().slice(0, -1)}${finer.replace(/0+$/, '')}`;
}

const kinds: Readonly<Record<string, CellKind>> = {
  char: 'text',
  varchar: 'text',
  nchar: 'text',
  nvarchar: 'text',
  uniqueidentifier: 'text',
  tinyint: 'number',
  smallint: 'number',
  int: 'number',
  bigint: 'number',
  decimal: 'number',
  numeric: 'number',
  money: 'number',
  smallmoney: 'number',
  bit: 'boolean',
  date: 'day',
  datetimeoffset: 'instant',
  smalldatetime: 'local-time',
  datetime: 'local-time',
  datetime2: 'local-time',
};

/** @param type as the server writes it: `decimal(19,4)` */
export function cellKind(type: string): CellKind {
  const [, name = '', , scale = '0'] = /^(\w+)(?:\((\w+)(?:,(\d+))?\))?$/.exec(type) ?? [];
  const kind = kinds[name] ?? 'other';
  return (name === 'decimal' || name === 'numeric') && Number(scale) > finestScale ? 'too-fine' : kind;
}

const greatest: Readonly<Record<string, bigint>> = {
  tinyint: 255n,
  smallint: 2n ** 15n - 1n,
  int: 2n ** 31n - 1n,
  bigint: 2n ** 63n - 1n,
  smallmoney: 214_748n,
  money: 922_337_203_685_477n,
};

export function parameterKind(type: string): ParameterKind {
  const [, name = '', precision = '0', scale = '0'] = /^(\w+)(?:\((\w+)(?:,(\d+))?\))?$/.exec(type) ?? [];
  const most = greatest[name];
  if (most !== undefined) return { greatest: most };
  if (name === 'decimal' || name === 'numeric')
    return { greatest: 10n ** BigInt(Number(precision) - Number(scale)) - 1n };
  if (name === 'uniqueidentifier') return 'uuid';
  return kinds[name] === 'text' ? 'text' : 'other';
}

const [minuteMs, tenthMs] = [60_000, 10];
/** The server rounds a `datetime` to the nearest of 0, 3, 7 and 10 thousandths: the distance to the next, by the last digit. */
const toTick = [0, 2, 1, 0, 3, 2, 1, 0, 2, 1] as const;
const firstDateTimeMs = Date.UTC(1753, 0, 1);
const [firstSmallMs, lastSmallMs] = [Date.UTC(1900, 0, 1), Date.UTC(2079, 5, 6, 23, 59)];

/** The server makes a value of the column's type of the text; for the two older types it would round it. */
export function bound(parameter: string, time: string, type: string | undefined): Bound {
  if (type !== 'datetime' && type !== 'smalldatetime') return { sql: parameter, value: time };
  const ms = Date.parse(`${time}Z`);
  const next =
    type === 'datetime'
      ? Math.max(firstDateTimeMs, ms + (toTick[ms - Math.floor(ms / tenthMs) * tenthMs] as number))
      : Math.min(lastSmallMs, Math.max(firstSmallMs, Math.ceil(ms / minuteMs) * minuteMs));
  return { sql: parameter, value: new Date(next).toISOString().slice(0, -1) };
}
