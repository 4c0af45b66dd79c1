import { describe, expect, it } from '@jest/globals';
import { dayOf, fileOf, instanceName, isDay, parseSegmentFile, segmentOf } from './segment-names.js';

const startedAt = new Date('2026-11-24T23:59:59.999Z');
const instance = instanceName('Gateway-7.bank.example', 4711, '0123abcd');

describe('the name of a segment', () => {
  it('has the time of its opening and the run of the process', () => {
    expect(instance).toBe('gateway-7-bank-example-4711-0123abcd');
    expect(segmentOf(startedAt, instance)).toBe(`20261124T235959999Z.${instance}`);
    expect(dayOf(segmentOf(startedAt, instance))).toBe('2026-11-24');
  });

  it.each(['open', 'closed', 'root'] as const)('is read back from the file of state %s', (state) => {
    const segment = segmentOf(startedAt, instance);
    expect(parseSegmentFile(fileOf(segment, state))).toEqual({ segment, startedAt, instance, state });
  });

  it('keeps no character of a host name that a file name should not have', () => {
    expect(instanceName('../Ä b'.padEnd(60, 'x'), 1, '0123abcd')).toBe(`${'-----b'.padEnd(32, 'x')}-1-0123abcd`);
    expect(instanceName('', 1, '0123abcd')).toBe('host-1-0123abcd');
  });

  it.each([
    'notes.txt',
    '.ndjson',
    `20261124T235959999Z.${instance}.ndjson.gz`,
    `20261324T235959999Z.${instance}.ndjson`,
    `20261124T235959999Z.${instance.toUpperCase()}.ndjson`,
    `20261124T235959999Z.${instance}.open.ndjson/..`,
  ])('is not read from %s', (file) => expect(parseSegmentFile(file)).toBeUndefined());

  it('belongs to the folder of its day', () => {
    expect([isDay('2026-11-24'), isDay('index'), isDay('2026-11-24x')]).toEqual([true, false, false]);
  });
});
