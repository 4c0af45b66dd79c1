import { describe, expect, it, jest } from '@jest/globals';
import type { CoreBanking } from '../core-banking/core-banking.js';
import { CoreError } from '../core-banking/core-error.js';
import { Readiness } from './readiness.js';

const well = (): Promise<void> => Promise.resolve();
const away = (): Promise<void> => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1 secret'));
const silent = (): Promise<void> => new Promise(() => undefined);

const faultsWith = (store: () => Promise<void>, core: () => Promise<void>): Promise<string[]> =>
  new Readiness({ ping: store }, { coreName: 'ledger', health: core } as unknown as CoreBanking).faults();

describe('readiness', () => {
  it.each([
    [[], well, well],
    [['the database does not answer'], away, well],
    [['the core "ledger" does not answer'], well, away],
    [['the database does not answer', 'the core "ledger" does not answer'], away, away],
  ])('names what is away, in our own words: %j', async (faults, store, core) => {
    expect(await faultsWith(store, core)).toEqual(faults);
  });

  it('says that the gateway stops, at once and also to who had asked before', async () => {
    let answer = (): void => undefined;
    const core = (): Promise<void> => new Promise((resolve) => (answer = resolve));
    const readiness = new Readiness({ ping: well }, { coreName: 'ledger', health: core } as unknown as CoreBanking);
    const asked = readiness.faults();
    readiness.stop();
    expect(await readiness.faults()).toEqual(['stopping']);
    answer();
    expect(await asked).toEqual(['stopping']);
  });

  it('says of a core that refuses us what its adapter says, without a card number', async () => {
    const refused = new CoreError('bad-record', 'it answered 401: check the credentials of 4929421234567897');
    expect(await faultsWith(well, () => Promise.reject(refused))).toEqual([
      'the core "ledger" is not ready: it answered 401: check the credentials of xxxxxxxxxxxx7897',
    ]);
  });

  it('waits two seconds and no longer', async () => {
    jest.useFakeTimers();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), ms);
      return controller.signal;
    });
    try {
      const asked = faultsWith(silent, well);
      await jest.advanceTimersByTimeAsync(2_000);
      expect(await asked).toEqual(['the database does not answer']);
    } finally {
      timeout.mockRestore();
      jest.useRealTimers();
    }
  });
});
