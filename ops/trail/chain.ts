import { follows, isSignedBy, recordHash, type ChainRecord } from '../../src/trail/root-record.js';
import type { PublicKeys } from './public-keys.js';

/** A fault of a trail. `kind` is for programs. */
export interface TrailFault {
  readonly kind:
    'changed' | 'missing' | 'inserted' | 'cut' | 'forked' | 'signature' | 'unreadable' | 'foreign' | 'index';
  /** One line, which names the place. */
  readonly message: string;
}

/**
 * Checks the records, in the order of their sequence: each must be signed and follow the one before it.
 * @param before the record before the first; absent at the beginning of the chain
 */
export function chainFaults(
  records: readonly ChainRecord[],
  keys: PublicKeys,
  before: ChainRecord | undefined,
): TrailFault[] {
  return [
    ...foreignKeys(records, keys),
    ...records.flatMap((record) => signatureFault(record, keys)),
    ...orderFaults(records, before),
  ];
}

/** One fault for each key: it may have signed thousands of records. */
function foreignKeys(records: readonly ChainRecord[], keys: PublicKeys): TrailFault[] {
  const foreign = new Map<string, { readonly first: number; readonly last: number; readonly records: number }>();
  for (const { keyId, sequence } of records) {
    if (keys.has(keyId)) continue;
    const run = foreign.get(keyId) ?? { first: sequence, last: sequence, records: 0 };
    foreign.set(keyId, { ...run, last: sequence, records: run.records + 1 });
  }
  return [...foreign].map(([keyId, run]) => {
    const signed =
      run.records === 1 ? `record ${run.first} is` : `${run.records} records, from ${run.first} to ${run.last}, are`;
    return {
      kind: 'signature',
      message: `${signed} signed by the key ${keyId}, which you did not give: if it was a key of the bank, name it with --key`,
    };
  });
}

function signatureFault(record: ChainRecord, keys: PublicKeys): TrailFault[] {
  const key = keys.get(record.keyId);
  if (key === undefined || isSignedBy(record, key)) return [];
  return [{ kind: 'signature', message: `record ${record.sequence} was changed: its signature is wrong` }];
}

function orderFaults(records: readonly ChainRecord[], first: ChainRecord | undefined): TrailFault[] {
  const faults: TrailFault[] = [];
  let before = first;
  for (const record of records) {
    const expected = (before?.sequence ?? 0) + 1;
    if (before !== undefined && record.sequence < expected) {
      // The same record may come from copies of a folder.
      if (recordHash(record) !== recordHash(before))
        faults.push({ kind: 'forked', message: `the history was forked: there are two records ${record.sequence}` });
      continue;
    }
    if (record.sequence > expected)
      faults.push({ kind: 'missing', message: `${missingRecords(expected, record.sequence - 1)} from the chain` });
    else if (!follows(record, before))
      faults.push({
        kind: 'forked',
        message: `the history was forked: record ${record.sequence} does not follow the record ${expected - 1} that was found`,
      });
    before = record;
  }
  return faults;
}

function missingRecords(first: number, last: number): string {
  return first === last ? `record ${first} is missing` : `the records ${first} to ${last} are missing`;
}
