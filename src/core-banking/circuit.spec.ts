import { describe, expect, it } from '@jest/globals';
import { Circuit } from './circuit.js';

/** Failures of reads that are not a probe; true when one of them opened the circuit. */
function fail(circuit: Circuit, count: number, nowMs = 0): boolean {
  let opened = false;
  for (let index = 0; index < count; index++) opened = circuit.failed(circuit.begin(), nowMs, undefined) || opened;
  return opened;
}
function succeed(circuit: Circuit, count: number): void {
  for (let index = 0; index < count; index++) circuit.succeeded(circuit.begin());
}

describe('a circuit', () => {
  it('opens with the tenth read when all have failed, and once', () => {
    const circuit = new Circuit();
    expect([fail(circuit, 9), circuit.isOpen]).toEqual([false, false]);
    expect([fail(circuit, 1), circuit.isOpen]).toEqual([true, true]);
  });

  it.each([
    [5, 5],
    [8, 8],
    [10, 10],
    [20, 20],
    [40, 20],
    [1_000, 20],
  ])('after %i good reads opens with failure number %i', (good, bad) => {
    const circuit = new Circuit();
    succeed(circuit, good);
    expect([fail(circuit, bad - 1), fail(circuit, 1)]).toEqual([false, true]);
  });

  it('forgets failures that are no longer among the last forty', () => {
    const circuit = new Circuit();
    succeed(circuit, 40);
    fail(circuit, 19);
    succeed(circuit, 40);
    expect(fail(circuit, 19)).toBe(false);
    expect(fail(circuit, 1)).toBe(true);
  });

  it('counts one customer’s late reads once while they are among the last forty, and each one of several', () => {
    const circuit = new Circuit();
    const late = (customer: string): boolean => circuit.failed(circuit.begin(), 0, customer);
    for (let count = 0; count < 100; count++) expect(late('slow')).toBe(false);
    for (let count = 0; count < 8; count++) expect(late(`C${count}`)).toBe(false);
    expect(late('slow')).toBe(false);
    expect(late('C8')).toBe(true);
  });

  it('admits nothing for a second, then one probe, and all once that succeeded', () => {
    const circuit = new Circuit();
    fail(circuit, 10, 5_000);
    expect([circuit.admits(5_000), circuit.admits(5_999), circuit.admits(6_000)]).toEqual([false, false, true]);
    const probe = circuit.begin();
    expect([probe, circuit.admits(6_000)]).toEqual([true, false]);
    expect(circuit.succeeded(probe)).toBe(true);
    expect([circuit.isOpen, circuit.admits(6_000), circuit.begin()]).toEqual([false, true, false]);
    expect(fail(circuit, 9)).toBe(false);
  });

  it('stays open for another second after a failed probe of any customer', () => {
    for (const lateFor of [undefined, 'slow']) {
      const circuit = new Circuit();
      fail(circuit, 10, 0);
      expect(circuit.failed(circuit.begin(), 1_000, lateFor)).toBe(false);
      expect([circuit.admits(1_999), circuit.admits(2_000)]).toEqual([false, true]);
    }
  });

  it('probes again when the probe ended without a result', () => {
    const circuit = new Circuit();
    fail(circuit, 10, 0);
    circuit.undecided(circuit.begin());
    expect([circuit.isOpen, circuit.admits(1_000)]).toEqual([true, true]);
  });

  it('is not changed by reads that began before it opened', () => {
    const circuit = new Circuit();
    const early = circuit.begin();
    fail(circuit, 10, 0);
    expect([circuit.succeeded(early), circuit.failed(early, 900, undefined)]).toEqual([false, false]);
    circuit.undecided(early);
    expect([circuit.isOpen, circuit.admits(999), circuit.admits(1_000)]).toEqual([true, false, true]);
  });
});
