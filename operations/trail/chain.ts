import { follows, isSignedBy, recordHash, type ChainRecord } from '../../src/trail/root-record.js';
import type { PublicKeys } from './public-keys.js';

/** A fault of a trail. `kind` is for programs. */
export interface TrailFault {
  readonly kind: 'changed' | 'missing' | 'inserted' | 'cut' | 'forked' | 'signature' | 'unreadable';
  /** One line, which names the place. */
  readonly message: string;
}

/** Judges the records, in the order of their sequence: each must be signed and follow the one before it. */
export function chainFaults(records: readonly ChainRecord[], keys: PublicKeys): TrailFault[] {
  return [...records.flatMap((record) => signatureFault(record, keys) ?? []), ...orderFaults(records)];
}

function signatureFault(record: ChainRecord, keys: PublicKeys): TrailFault | undefined {
  const { sequence, keyId } = record;
  const key = keys.get(keyId);
  if (key === undefined)
    return {
      kind: 'signature',
      message: `record ${sequence} is signed by the key ${keyId}, which is not given: name it with --key, if it was the bank's`,
    };
  if (isSignedBy(record, key)) return undefined;
  return { kind: 'signature', message: `record ${sequence} was changed: its signature is wrong` };
}

function orderFaults(records: readonly ChainRecord[]): TrailFault[] {
  const faults: TrailFault[] = [];
  let before: ChainRecord | undefined;
  for (const record of records) {
    const expected = (before?.sequence ?? 0) + 1;
    if (before !== undefined && record.sequence < expected) {
      // The same record may come from copies of a folder.
      if (recordHash(record) !== recordHash(before))
        faults.push({ kind: 'forked', message: `the history was forked: there are two records ${record.sequence}` });
      continue;
    }
    if (record.sequence > expected)
      faults.push({ kind: 'missing', message: `${missingRecords(expected, record.sequence - 1)} of the chain` });
    else if (!follows(record, before))
      faults.push({
        kind: 'forked',
        message: `the history was forked: record ${record.sequence} does not follow the record ${expected - 1} that is here`,
      });
    before = record;
  }
  return faults;
}

function missingRecords(first: number, last: number): string {
  return first === last ? `record ${first} is missing` : `the records ${first} to ${last} are missing`;
}
