import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { UnusableServer } from '../persistence/postgres-connections.js';
import { Readiness } from './readiness.js';

const running = { stopping: false };
const well = (): Promise<void> => Promise.resolve();
const away = (): Promise<void> => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1 secret'));
const silent = (): Promise<void> => new Promise(() => undefined);

/** A core that has as long for a read as by default. */
const coreWith = (health: (signal: AbortSignal) => Promise<void>, name = 'ledger') => ({
  name,
  deadlineMs: 3_000,
  banking: { health },
});
const faultsWith = (store: () => Promise<void>, core: () => Promise<void>): Promise<string[]> =>
  new Readiness({ ping: store, read: store }, [coreWith(core)], running).faults();

describe('readiness', () => {
  it.each([
    [[], well, well],
    [['the database does not answer'], away, well],
    [['the core "ledger" does not answer'], well, away],
    [['the database does not answer', 'the core "ledger" does not answer'], away, away],
  ])('names the part that is unreachable, in the gateway’s words: %j', async (faults, store, core) => {
    expect(await faultsWith(store, core)).toEqual(faults);
  });

  it('names each core that is unreachable, and no other', async () => {
    const cores = ['ledger', 'cards', 'loans'].map((name) => coreWith(name === 'ledger' ? well : away, name));
    const readiness = new Readiness({ ping: well, read: well }, cores, running);
    readiness.needs(() => ['another fault']);
    expect(await readiness.faults()).toEqual([
      'the core "cards" does not answer',
      'the core "loans" does not answer',
      'another fault',
    ]);
    expect(await readiness.servingFaults()).toEqual(['another fault']);
  });

  it('reports that the gateway stops, at once and also to a caller that still waits', async () => {
    let answer = (): void => undefined;
    const core = (): Promise<void> => new Promise((resolve) => (answer = resolve));
    const listeners = { stopping: false };
    const cores = [coreWith(core)];
    const readiness = new Readiness({ ping: well, read: well }, cores, listeners);
    const asked = readiness.faults();
    listeners.stopping = true;
    expect(await readiness.faults()).toEqual(['stopping']);
    answer();
    expect(await asked).toEqual(['stopping']);
  });

  it('repeats the adapter’s message about a core that refuses the gateway, without a card number', async () => {
    const refused = new CoreError('bad-record', 'it answered 401: check the credentials of 4929421234567897');
    expect(await faultsWith(well, () => Promise.reject(refused))).toEqual([
      'the core "ledger" is not ready: it answered 401: check the credentials of xxxxxxxxxxxx7897',
    ]);
  });

  it('says that the data are too old, in the adapter’s words, and the gateway serves on', async () => {
    const stale = new CoreError('stale', 'its data are of 2026-11-18T23:59:59.000Z');
    expect(await faultsWith(well, () => Promise.reject(stale))).toEqual([
      'the core "ledger" is not ready: its data are of 2026-11-18T23:59:59.000Z',
    ]);
  });

  it.each([
    ['refused', 'the core "ledger" does not answer (the connection is refused)'],
    ['host-unknown', 'the core "ledger" does not answer (the name of its host is unknown)'],
    ['no-route', 'the core "ledger" does not answer (no route leads to its host)'],
    ['no-answer', 'the core "ledger" does not answer (no connection within the time limit)'],
    ['lost', 'the core "ledger" does not answer (the connection is lost)'],
    ['tls', 'the core "ledger" does not answer (TLS fails)'],
    // An adapter may have a later copy of the port.
    ['words of another system' as 'tls', 'the core "ledger" does not answer'],
  ] as const)('names the fault of the connection to a core: %s', async (fault, line) => {
    const unreachable = new CoreError('unavailable', 'secret', undefined, fault);
    expect(await faultsWith(well, () => Promise.reject(unreachable))).toEqual([line]);
  });

  describe('with a core that takes its time', () => {
    let restore = (): void => undefined;
    beforeEach(() => {
      jest.useFakeTimers();
      const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), ms);
        return controller.signal;
      });
      restore = () => timeout.mockRestore();
    });
    afterEach(() => {
      restore();
      jest.useRealTimers();
    });
    const after = (ms: number) => (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    const faultsAfter = async (ms: number, asked: Promise<string[]>): Promise<string[] | string> => {
      await jest.advanceTimersByTimeAsync(ms);
      return Promise.race([asked, Promise.resolve('waits')]);
    };

    it('is ready where the core answers just before the deadline of a read', async () => {
      expect(await faultsAfter(2_999, faultsWith(well, after(2_999)))).toEqual([]);
    });

    it('is not ready where the core has not answered at the deadline of a read', async () => {
      const asked = faultsWith(well, after(3_001));
      expect(await faultsAfter(2_999, asked)).toBe('waits');
      expect(await faultsAfter(1, asked)).toEqual(['the core "ledger" does not answer in time']);
    });

    it('gives each core its deadline, and the database two seconds', async () => {
      const cores = [coreWith(silent), { ...coreWith(silent, 'cards'), deadlineMs: 500 }];
      const readiness = new Readiness({ ping: silent, read: silent }, cores, running);
      readiness.needs(() => new Promise(() => undefined));
      expect(await faultsAfter(2_000, readiness.servingFaults())).toEqual([
        'the database does not answer',
        'a check failed or did not end in time',
      ]);
      expect(await faultsAfter(3_000, readiness.faults())).toEqual([
        'the database does not answer',
        'the core "ledger" does not answer in time',
        'the core "cards" does not answer in time',
        'a check failed or did not end in time',
      ]);
    });

    it('ends its question to the core at the deadline', async () => {
      let given: AbortSignal | undefined;
      const core = coreWith((signal) => ((given = signal), silent()));
      void new Readiness({ ping: well, read: well }, [core], running).faults();
      await jest.advanceTimersByTimeAsync(2_999);
      expect(given?.aborted).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(given?.aborted).toBe(true);
    });
  });

  const cores = [coreWith(well)];
  const refusedBy = (code: string) => (): Promise<void> =>
    Promise.reject(
      code === 'standby' ? new UnusableServer(code, 'public') : Object.assign(new Error('secret'), { code }),
    );

  it.each([
    ['standby', 'the database is a standby'],
    ['25006', 'the database is read-only'],
    ['53100', 'the disk of the database is full'],
    ['42501', 'the database does not permit changes'],
    ['55P03', 'a table of the database is locked: changes wait'],
    ['57P01', 'the database does not answer'],
  ])('names the reason why the database accepts no change: %s', async (code, line) => {
    expect(await faultsWith(refusedBy(code), well)).toEqual([line]);
  });

  it('asks the database for a change at most once a second, for any number of callers', async () => {
    let [nowMs, asked] = [10_000, 0];
    const ping = (): Promise<void> => (asked++, well());
    const readiness = new Readiness({ ping, read: well }, cores, running, () => nowMs);
    await Promise.all([readiness.faults(), readiness.faults()]);
    nowMs += 999;
    await readiness.faults();
    expect(asked).toBe(1);
    nowMs += 1;
    await readiness.faults();
    expect(asked).toBe(2);
  });

  it('asks the database again only when it has answered', async () => {
    let [nowMs, asked] = [10_000, 0];
    let answer = (): void => undefined;
    const ping = (): Promise<void> => (asked++, new Promise((resolve) => (answer = resolve)));
    const readiness = new Readiness({ ping, read: well }, cores, running, () => nowMs);
    const first = readiness.faults();
    nowMs += 5_000;
    const second = readiness.faults();
    answer();
    expect([await first, await second, asked]).toEqual([[], [], 1]);
  });

  it('names each further condition that fails, and each that it cannot check', async () => {
    const readiness = new Readiness({ ping: well, read: well }, cores, running);
    readiness.needs(() => ['the certificate of TLS_CERT_FILE expired at 2026-01-01T00:00:00.000Z']);
    readiness.needs(() => Promise.reject(new Error('secret')));
    const lines = [
      'the certificate of TLS_CERT_FILE expired at 2026-01-01T00:00:00.000Z',
      'a check failed or did not end in time',
    ];
    expect([await readiness.faults(), await readiness.servingFaults()]).toEqual([lines, lines]);
  });

  it.each<[string, () => Promise<void>, string[]]>([
    ['where the database takes no change and answers questions', well, []],
    ['only where the database answers', away, ['the database does not answer']],
  ])('knows that reads can be answered %s', async (_when, read, faults) => {
    const broken = [coreWith(away)];
    expect(await new Readiness({ ping: away, read }, broken, running).servingFaults()).toEqual(faults);
  });

  it('sends the database a query at most once a second, for any number of callers', async () => {
    let [nowMs, asked] = [10_000, 0];
    const read = (): Promise<void> => (asked++, well());
    const readiness = new Readiness({ ping: well, read }, cores, running, () => nowMs);
    await Promise.all([readiness.servingFaults(), readiness.servingFaults()]);
    nowMs += 999;
    await readiness.servingFaults();
    expect(asked).toBe(1);
    nowMs += 1;
    await readiness.servingFaults();
    expect(asked).toBe(2);
  });
});
