import { bytes, collation, number, type TdsColumn, tdsType } from './tds-values.js';

/** [MS-TDS], 2.2.3.1.1. */
export const messageTypes = { batch: 1, rpc: 3, answer: 4, attention: 6, login: 0x10, prelogin: 0x12 } as const;
const packetSize = 4_096;
const headerLength = 8;
const [last, noFlags] = [1, 0];

export interface Message {
  readonly type: number;
  readonly data: Buffer;
}

/** Puts the packets of a stream together to messages. */
export class Messages {
  private rest = Buffer.alloc(0);
  private parts: Buffer[] = [];

  *of(chunk: Buffer): Generator<Message> {
    this.rest = Buffer.concat([this.rest, chunk]);
    while (this.rest.length >= headerLength && this.rest.length >= this.rest.readUInt16BE(2)) {
      const packet = this.rest.subarray(0, this.rest.readUInt16BE(2));
      this.rest = this.rest.subarray(packet.length);
      this.parts.push(packet.subarray(headerLength));
      if ((packet.readUInt8(1) & last) === 0) continue;
      const data = Buffer.concat(this.parts);
      this.parts = [];
      yield { type: packet.readUInt8(0), data };
    }
  }
}

export function packets(type: number, data: Buffer): Buffer {
  const found: Buffer[] = [];
  for (let start = 0; start === 0 || start < data.length; start += packetSize) {
    const part = data.subarray(start, start + packetSize);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(part.length + headerLength);
    const flags = start + packetSize >= data.length ? last : noFlags;
    found.push(bytes(type, flags, length, 0, 0, 1, 0, part));
  }
  return Buffer.concat(found);
}

const shortName = (text: string): Buffer => bytes(text.length, Buffer.from(text, 'ucs2'));
const longName = (text: string): Buffer => bytes(number(text.length, 2), Buffer.from(text, 'ucs2'));
const token = (type: number, data: Buffer): Buffer => bytes(type, number(data.length, 2), data);

/** The version, and whether the server has TLS. */
export function prelogin(hasTls: boolean): Buffer {
  const options = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff]);
  return bytes(options, Buffer.from([15, 0, 0, 0, 0, 0]), hasTls ? 1 : 2);
}

export interface SqlError {
  readonly number: number;
  readonly class: number;
  readonly message: string;
}

const error = ({ number: code, class: severity, message }: SqlError): Buffer =>
  token(0xaa, bytes(number(code, 4), 1, severity, longName(message), shortName('stub'), shortName(''), number(1, 4)));

/** The end of an answer. */
const done = (status: number, type = 0xfd): Buffer => bytes(type, number(status, 2), number(0, 2), number(0, 8));

export const acknowledged = (database: string): Buffer =>
  bytes(
    token(0xe3, bytes(1, shortName(database), shortName('master'))),
    token(0xe3, bytes(7, collation.length, collation, 0)),
    token(0xad, bytes(1, Buffer.from([0x74, 0, 0, 4]), shortName('Microsoft SQL Server'), 15, 0, 0, 0)),
    done(0),
  );

export const failed = (errors: readonly SqlError[]): Buffer => bytes(...errors.map(error), done(2));
export const cancelled: readonly Buffer[] = [done(2), done(0x20)];
export const finished = done(0);

export interface Rows {
  readonly columns: readonly TdsColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export function rowsAnswer({ columns, rows }: Rows): Buffer {
  const types = columns.map(({ type }) => tdsType(type));
  const head = columns.map(({ name }, index) =>
    bytes(number(0, 4), number(1, 2), (types[index] as (typeof types)[number]).info, shortName(name)),
  );
  const values = rows.map((row) => bytes(0xd1, ...types.map(({ value }, index) => value(row[index] ?? null))));
  return bytes(0x81, number(columns.length, 2), ...head, ...values, done(0x10));
}

/** A request of a client: a batch without parameters, or a statement of `sp_executesql`. */
export interface Asked {
  readonly sql: string;
  readonly declared: string;
  readonly values: Readonly<Record<string, string | number | null>>;
}

const withoutHeaders = (data: Buffer): Buffer => data.subarray(data.readUInt32LE(0));

export function askedByBatch({ data }: Message): Asked {
  return { sql: withoutHeaders(data).toString('ucs2'), declared: '', values: {} };
}

/** `sp_executesql`: the statement, the declarations of its parameters, and their values. */
export function askedByRpc({ data }: Message): Asked {
  const call = withoutHeaders(data);
  if (call.readUInt16LE(0) !== 0xffff || call.readUInt16LE(2) !== 10) throw new Error('only sp_executesql is known');
  const values: Record<string, string | number | null> = {};
  for (let at = 6; at < call.length;) {
    const nameEnd = at + 1 + call.readUInt8(at) * 2;
    const name = call.toString('ucs2', at + 1, nameEnd);
    const read = parameter(call, nameEnd + 1);
    values[name] = read.value;
    at = read.end;
  }
  const { '@statement': sql, '@params': declared = '', ...others } = values;
  return { sql: String(sql), declared: String(declared), values: others };
}

interface Read {
  readonly value: string | number | null;
  readonly end: number;
}

function parameter(call: Buffer, at: number): Read {
  const type = call.readUInt8(at);
  if (type === 0x26) {
    const length = call.readUInt8(at + 2);
    return { value: length === 0 ? null : call.readIntLE(at + 3, length), end: at + 3 + length };
  }
  if (type !== 0xe7 && type !== 0xa7) throw new Error(`the stub has no parameters of type ${type}`);
  const encoding = type === 0xe7 ? 'ucs2' : 'latin1';
  const most = call.readUInt16LE(at + 1);
  const start = at + 3 + collation.length;
  if (most !== 0xffff) {
    const length = call.readUInt16LE(start);
    if (length === 0xffff) return { value: null, end: start + 2 };
    return { value: call.toString(encoding, start + 2, start + 2 + length), end: start + 2 + length };
  }
  if (call.readBigUInt64LE(start) === 0xffff_ffff_ffff_ffffn) return { value: null, end: start + 8 };
  const parts: Buffer[] = [];
  let next = start + 8;
  for (let length = call.readUInt32LE(next); length > 0; length = call.readUInt32LE(next)) {
    parts.push(call.subarray(next + 4, next + 4 + length));
    next += 4 + length;
  }
  return { value: Buffer.concat(parts).toString(encoding), end: next + 4 };
}
