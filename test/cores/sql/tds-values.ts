/** A column of an answer; `type` as SQL Server writes it: `decimal(19,4)`. */
export interface TdsColumn {
  readonly name: string;
  readonly type: string;
}

/** A column's type, and its values, as the protocol has them ([MS-TDS], 2.2.5.4 and 2.2.5.5). */
export interface TdsType {
  readonly info: Buffer;
  /** @param text the value as the database shows it; a time in UTC without its zone */
  readonly value: (text: string | null) => Buffer;
}

/** Latin1_General, code page 1252. */
export const collation = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]);
const epochDay = 719_162;
const dayMs = 86_400_000;

export function bytes(...parts: readonly (Buffer | number)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)));
}

/** Little-endian. */
export function number(value: bigint | number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let rest = BigInt.asUintN(length * 8, BigInt(value));
  for (let index = 0; index < length; index++, rest >>= 8n) buffer[index] = Number(rest & 0xffn);
  return buffer;
}

const shortText = (text: string | null, encoding: 'ucs2' | 'latin1'): Buffer => {
  if (text === null) return number(0xffff, 2);
  const data = Buffer.from(text, encoding);
  return bytes(number(data.length, 2), data);
};

function longText(text: string | null): Buffer {
  if (text === null) return Buffer.alloc(8, 0xff);
  const data = Buffer.from(text, 'ucs2');
  return bytes(number(data.length, 8), number(data.length, 4), data, number(0, data.length === 0 ? 0 : 4));
}

/** A value after its length of one byte, which is 0 for NULL. */
const short =
  (write: (text: string) => Buffer) =>
  (text: string | null): Buffer => {
    const data = text === null ? Buffer.alloc(0) : write(text);
    return bytes(data.length, data);
  };

/** The unscaled value of a decimal text. */
function units(text: string, scale: number): bigint {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '' || fraction.length > scale) throw new Error(`${text} is no decimal of scale ${scale}`);
  const value = BigInt(whole + fraction.padEnd(scale, '0'));
  return sign === '-' ? -value : value;
}

const decimalLength = (precision: number): number =>
  precision < 10 ? 4 : precision < 20 ? 8 : precision < 29 ? 12 : 16;

function decimal(precision: number, scale: number): TdsType {
  const length = decimalLength(precision);
  return {
    info: Buffer.from([0x6a, length + 1, precision, scale]),
    value: short((text) => {
      const value = units(text, scale);
      return bytes(value < 0n ? 0 : 1, number(value < 0n ? -value : value, length));
    }),
  };
}

const days = (text: string): number => Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / dayMs + epochDay;

/** The parts of a second, by the scale, since midnight. */
function timeOfDay(text: string, scale: number): Buffer {
  const [, hours, minutes, seconds, fraction = ''] = /[T ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?/.exec(text) ?? [];
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return number(BigInt(`${whole}${fraction.padEnd(scale, '0').slice(0, scale)}`), scale < 3 ? 3 : scale < 5 ? 4 : 5);
}

/** Days since 1900 and 300ths of a second. */
function dateTime(text: string): Buffer {
  const ms = Date.parse(`${text.replace(' ', 'T')}Z`);
  const day = Math.floor(ms / dayMs);
  return bytes(number(day + 25_567, 4), number(Math.round(((ms - day * dayMs) * 3) / 10), 4));
}

function guid(text: string): Buffer {
  const hex = Buffer.from(text.replaceAll('-', ''), 'hex');
  return bytes(
    hex.subarray(0, 4).reverse(),
    hex.subarray(4, 6).reverse(),
    hex.subarray(6, 8).reverse(),
    hex.subarray(8),
  );
}

const wholeTypes: Readonly<Record<string, number>> = { tinyint: 1, smallint: 2, int: 4, bigint: 8 };

export function tdsType(type: string): TdsType {
  const [, name = '', first = '', second = '0'] = /^(\w+)(?:\((\w+)(?:,(\d+))?\))?$/.exec(type) ?? [];
  const length = wholeTypes[name];
  if (length !== undefined)
    return { info: Buffer.from([0x26, length]), value: short((text) => number(BigInt(text), length)) };
  switch (name) {
    case 'nvarchar':
      if (first === 'max') return { info: bytes(0xe7, number(0xffff, 2), collation), value: longText };
      return { info: bytes(0xe7, number(8000, 2), collation), value: (text) => shortText(text, 'ucs2') };
    case 'varchar':
      return { info: bytes(0xa7, number(8000, 2), collation), value: (text) => shortText(text, 'latin1') };
    case 'decimal':
      return decimal(Number(first), Number(second));
    case 'money':
      return {
        info: Buffer.from([0x6e, 8]),
        value: short((text) => {
          const data = number(units(text, 4), 8);
          return bytes(data.subarray(4), data.subarray(0, 4));
        }),
      };
    case 'bit':
      return { info: Buffer.from([0x68, 1]), value: short((text) => Buffer.from([text === 'true' ? 1 : 0])) };
    case 'date':
      return { info: Buffer.from([0x28]), value: short((text) => number(days(text), 3)) };
    case 'datetime':
      return { info: Buffer.from([0x6f, 8]), value: short(dateTime) };
    case 'datetime2':
      return {
        info: Buffer.from([0x2a, Number(first)]),
        value: short((text) => bytes(timeOfDay(text, Number(first)), number(days(text), 3))),
      };
    case 'datetimeoffset':
      return {
        info: Buffer.from([0x2b, Number(first)]),
        // It was written with an offset of an hour.
        value: short((text) => bytes(timeOfDay(text, Number(first)), number(days(text), 3), number(60, 2))),
      };
    case 'uniqueidentifier':
      return { info: Buffer.from([0x24, 16]), value: short(guid) };
    default:
      throw new Error(`the stub has no type ${type}`);
  }
}
