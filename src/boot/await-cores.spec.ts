import { describe, expect, it } from '@jest/globals';
import { BootError } from '../config/boot-error.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { awaitCores, type AwaitedCore } from './await-cores.js';

describe('a core whose data are stale', () => {
  it('does not keep the gateway from starting, because TPPs are to be informed', async () => {
    const health = (): Promise<void> => Promise.reject(new CoreError('stale', 'its data are of 2026-11-18'));
    const replica = { name: 'some-core', config: { url: 'file:///replica' }, adapter: { health } };
    expect(await awaitCores([replica], 60_000)).toEqual([]);
  });
});

describe('a core that gives no good answer in time is named', () => {
  const waitFor = (fault: Error): Promise<readonly string[]> => {
    const health = (signal: AbortSignal): Promise<void> =>
      Promise.reject(signal.aborted ? new CoreError('timeout', 'some-core did not answer before the deadline') : fault);
    const config = { url: 'http://user:secret@core.bank.example/api' };
    return awaitCores([{ name: 'some-core', config, adapter: { health } }], 10);
  };

  it('with the adapter’s words about the last answer, in one line and without a card number', async () => {
    const refused = new CoreError('bad-record', 'it answered 401:\ncheck the credentials of 4929421234567897');
    await expect(waitFor(refused)).rejects.toThrow(
      new BootError(
        'the core "some-core" is not ready at http://core.bank.example/api: ' +
          'it answered 401: check the credentials of xxxxxxxxxxxx7897',
      ),
    );
  });

  it('without the words of an error that is not the adapter’s', async () => {
    await expect(waitFor(new Error('connect ECONNREFUSED secret'))).rejects.toThrow(
      new BootError('the core "some-core" does not answer at http://core.bank.example/api: start it, or set CORE_URL'),
    );
  });
});

describe('of several cores', () => {
  const core = (name: string, health: () => Promise<void>): AwaitedCore => ({
    name,
    config: { name, url: `http://${name}.bank.example` },
    adapter: { health },
  });
  const well = (): Promise<void> => Promise.resolve();
  const unreachable = (): Promise<void> => Promise.reject(new Error('unreachable'));
  const line = (name: string): string =>
    `the core "${name}" does not answer at http://${name}.bank.example: start it, or set CORE_${name.toUpperCase()}_URL`;

  it('each that is unreachable is named, and the others begin to serve', async () => {
    expect(await awaitCores([core('ledger', well), core('cards', unreachable)], 10)).toEqual([line('cards')]);
    expect(await awaitCores([core('ledger', well), core('cards', well)], 10)).toEqual([]);
  });

  it('all are named where none answers, and the gateway does not start', async () => {
    await expect(awaitCores([core('ledger', unreachable), core('cards', unreachable)], 10)).rejects.toThrow(
      new BootError(`${line('ledger')}; ${line('cards')}`),
    );
  });

  it('one that answers late is awaited', async () => {
    let asked = 0;
    const late = (): Promise<void> => (asked++ === 0 ? unreachable() : well());
    expect(await awaitCores([core('ledger', well), core('cards', late)], 60_000)).toEqual([]);
  });
});
