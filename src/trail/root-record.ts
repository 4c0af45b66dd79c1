import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign, verify, type KeyObject } from 'node:crypto';

/** Why a segment was closed; `recovered`: another process closed it, because its own had died. */
export const closings = ['hour', 'midnight', 'full', 'stop', 'recovered'] as const;
export type Closing = (typeof closings)[number];

/** The content of the record of a closed segment. */
export interface SegmentRoot {
  readonly v: 1;
  readonly segment: string;
  readonly day: string;
  readonly instance: string;
  readonly events: number;
  readonly bytes: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly closed: Closing;
  /** When this record was made: long after `day`, where the segment waited for another process or for the database. */
  readonly signedAt: string;
  /** The bytes of half a line at the end, which were removed: only with `recovered`. */
  readonly cut?: number;
  /** The Merkle tree hash over the lines, in hexadecimal. */
  readonly root: string;
}

/** The content of the record of a day whose retention has ended. */
export interface DroppedDay {
  readonly v: 1;
  readonly dropped: string;
  readonly segments: readonly string[];
  readonly at: string;
}

/** The content of the record of segments that are lost, with the disk of a machine for example: an operator has stated it. */
export interface LostSegments {
  readonly v: 1;
  readonly lost: readonly string[];
  readonly reason: string;
  readonly at: string;
}

/** The place of a record in the one chain of a trail. */
export interface Link {
  readonly sequence: number;
  /** The hash of the record before it; {@link noRecord} for the first. */
  readonly previous: string;
}

export interface Signature {
  /** The first 16 hexadecimal digits of SHA-256 of the raw public key. */
  readonly keyId: string;
  /** Ed25519, in base64url; of a record over its hash. */
  readonly signature: string;
}

export type RecordContent = SegmentRoot | DroppedDay | LostSegments;
export type ChainRecord = RecordContent & Link & Signature;

/** The key of the database's advisory lock under which the chain grows by one record at a time. */
export const chainLock = 7_269_701;

/** The `previous` of the first record of a chain. */
export const noRecord = '0'.repeat(64);

export interface TrailKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Makes the MACs of withdrawals. */
  readonly macKey: Buffer;
}

/** RFC 8410: the bytes before the seed of an Ed25519 key, and before a raw public key. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** The keys of a trail. @param secret TRAIL_KEY */
export function trailKey(secret: string): TrailKey {
  const derived = (use: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', use, 32));
  const seed = derived('account-information-gateway trail');
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const macKey = derived('account-information-gateway withdrawals');
  return { keyId: keyIdOf(publicKey), privateKey, publicKey, macKey };
}

export function rawPublicKey(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(spkiPrefix.length);
}

export function publicKeyOf(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: 'der', type: 'spki' });
}

export function keyIdOf(publicKey: KeyObject): string {
  return createHash('sha256').update(rawPublicKey(publicKey)).digest('hex').slice(0, 16);
}

/** JSON with the members of each object in the order of their names, and without blanks. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** SHA-256, in hexadecimal, of the record without its signature: `previous` of the record after it. */
export function recordHash(record: RecordContent & Link): string {
  const { signature: _, ...unsigned } = record as Partial<ChainRecord> & object;
  return createHash('sha256').update(canonicalJson(unsigned)).digest('hex');
}

export function signRecord(content: RecordContent, link: Link, key: TrailKey): ChainRecord {
  const unsigned = { ...content, ...link, keyId: key.keyId };
  const signature = sign(undefined, Buffer.from(recordHash(unsigned), 'hex'), key.privateKey).toString('base64url');
  return { ...unsigned, signature };
}

/** Whether the key signed the record. It does not check the record's place in its chain: see {@link follows}. */
export function isSignedBy(record: ChainRecord, publicKey: KeyObject): boolean {
  return (
    record.keyId === keyIdOf(publicKey) &&
    verify(undefined, Buffer.from(recordHash(record), 'hex'), publicKey, Buffer.from(record.signature, 'base64url'))
  );
}

/** The place after a record; the first place, where there is no record. */
export function linkAfter(before: ChainRecord | undefined): Link {
  return before === undefined
    ? { sequence: 1, previous: noRecord }
    : { sequence: before.sequence + 1, previous: recordHash(before) };
}

/** Whether the record has the place after `before`. */
export function follows(record: Link, before: ChainRecord | undefined): boolean {
  const { sequence, previous } = linkAfter(before);
  return record.sequence === sequence && record.previous === previous;
}
