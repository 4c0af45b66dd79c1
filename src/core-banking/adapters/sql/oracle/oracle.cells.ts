import type { As } from '../../../record-mapping/mapping.js';
import type { Bound, Cell, CellKind } from '../dialect.js';

const [day, second] = ['YYYY-MM-DD', 'YYYY-MM-DD"T"HH24:MI:SS'];

/**
 * The driver reads and writes times by the zone of this process, and to the millisecond. So the database writes each as a text:
 * a DATE as a day only where it has no time.
 */
export function shown(column: string, as: As | undefined): string {
  const name = column.slice(column.indexOf('.') + 1);
  switch (as) {
    case 'instant':
      return `TO_CHAR(SYS_EXTRACT_UTC(${column}), '${second}.FF9"Z"') AS ${name}`;
    case 'local-time':
      return `TO_CHAR(CAST(${column} AS TIMESTAMP(9)), '${second}.FF9') AS ${name}`;
    case 'day':
      return `CASE WHEN ${column} = TRUNC(${column}) THEN TO_CHAR(${column}, '${day}') ELSE TO_CHAR(${column}, '${second}') END AS ${name}`;
    default:
      return column;
  }
}

/** The conversions are on the parameter: on the column, no index would serve it. */
export function bound(parameter: string, time: string, type: string | undefined): Bound {
  switch (type) {
    case 'DATE':
      if (time.length === day.length) return { sql: `TO_DATE(${parameter}, '${day}')`, value: time };
      return { sql: `TO_DATE(${parameter}, '${second}')`, value: nextSecond(time) };
    case 'TIMESTAMP':
      return { sql: `TO_TIMESTAMP(${parameter}, '${second}.FF')`, value: time };
    case 'TIMESTAMP WITH TIME ZONE':
    case 'TIMESTAMP WITH LOCAL TIME ZONE':
      return { sql: `TO_TIMESTAMP_TZ(${parameter}, '${second}.FFTZH:TZM')`, value: time.replace('Z', '+00:00') };
    default:
      return { sql: parameter, value: time };
  }
}

/** A DATE has no fractions of a second. */
function nextSecond(time: string): string {
  return new Date(Math.ceil(Date.parse(`${time}Z`) / 1_000) * 1_000).toISOString().slice(0, 19);
}

/** `.5` or `-.5`, as the driver writes a fraction, and the digits of a second beyond those that mean something. */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/^(-?)\.(?=\d+$)/, '$10.').replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\d*?)0*(Z?)$/, '$1$2');
}

const kinds: Readonly<Record<string, CellKind>> = {
  VARCHAR2: 'text',
  VARCHAR: 'text',
  NVARCHAR2: 'text',
  NVARCHAR: 'text',
  CHAR: 'text',
  NCHAR: 'text',
  NUMBER: 'number',
  BOOLEAN: 'boolean',
  DATE: 'date-and-time',
  TIMESTAMP: 'local-time',
  'TIMESTAMP WITH TIME ZONE': 'instant',
  'TIMESTAMP WITH LOCAL TIME ZONE': 'instant',
};

export function cellKind(typeName: string): CellKind {
  return kinds[typeName] ?? 'other';
}
