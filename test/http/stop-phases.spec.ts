import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileRevocationJournal } from '../../src/consents/journal/revocation-journal.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { AuthorisationSetting } from '../authorisation/setting.js';
import { journalKey, journalLines } from '../support/journal-lines.js';
import { portOf } from '../support/raw-http.js';
import { bankCredential } from '../support/stack.js';
import { until } from '../support/until.js';
import { watched, withReads } from '../support/wrapped-adapter.js';

/** Enough for two requests on a machine that is busy. */
const stopDelayMs = 5_000;

describe('the phases of a stop', () => {
  let folder: string;
  let setting: AuthorisationSetting;
  let events: string[];
  let readsOfBalances: number;
  let coreAnswers: () => void;
  let restore: (() => void)[];

  /** Notes when the method ends. */
  function noteEnd<Part extends object>(part: Part, method: keyof Part & string, event: string): void {
    const original = part[method] as (this: unknown) => Promise<void>;
    const spy = jest.spyOn(part as Record<string, () => unknown>, method);
    spy.mockImplementation(async function (this: unknown) {
      await original.call(this);
      events.push(event);
    });
    restore.push(() => spy.mockRestore());
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stop-phases-'));
    events = [];
    readsOfBalances = 0;
    restore = [];
    const held = new Promise<void>((resolve) => (coreAnswers = resolve));
    noteEnd(PrismaService.prototype, 'onApplicationShutdown', 'database closed');
    noteEnd(FileRevocationJournal.prototype, 'close', 'journal closed');
    setting = await AuthorisationSetting.start({
      config: { revocationJournal: { directory: folder, key: journalKey }, stopDelayMs },
      adapter: (ledger) =>
        withReads(
          watched(ledger, ({ read }) => (read === 'balances' && readsOfBalances++ === 0 ? held : undefined)),
          {
            close: async () => {
              await ledger.close();
              events.push('core closed');
            },
          },
        ),
    });
    // On PostgreSQL another connection has migrated the database.
    events = [];
    noteEnd(setting.customers, 'close', 'customer authentication closed');
  });
  afterEach(async () => {
    await setting.close();
    for (const each of restore) each();
    await rm(folder, { recursive: true });
  });

  const isRefused = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
      socket.once('connect', () => socket.destroy());
    });

  it('answer every request first, then close its journal and the bank’s systems, and the database last', async () => {
    const tpp = await setting.tpp('tpp-one');
    const { accessToken } = await setting.access(tpp, 'saver');
    const { Account } = (await tpp.ask('/accounts', accessToken)).json.Data;
    const { consentId } = await setting.access(tpp, 'saver');
    const read = tpp.ask(`/accounts/${Account[0].AccountId}/balances`, accessToken).then(({ status }) => {
      events.push('read answered');
      return status;
    });
    await until(() => readsOfBalances > 0, 30_000);

    const bankPort = portOf(setting.stack.gateway.bankServer);
    const bank = `http://127.0.0.1:${bankPort}`;
    const closing = setting.stack.gateway.close();
    // Within the delay: every port answers, on new connections too, and says that it stops.
    const ready = await fetch(`${bank}/health/ready`);
    expect([ready.status, ((await ready.json()) as { faults: string[] }).faults]).toEqual([503, ['stopping']]);
    const revoked = await fetch(`${bank}/bank/v1/consents/${consentId}/revoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bankCredential}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([revoked.status, revoked.headers.get('connection')]).toEqual([200, 'close']);
    expect(await journalLines(folder)).toMatchObject([{ event: 'consent-revoked', id: consentId }]);

    // After the delay the read is still under way, and nothing that it may need is closed.
    while (!(await isRefused(bankPort))) await sleep(50);
    await sleep(500);
    expect(events).toEqual([]);
    coreAnswers();
    expect(await read).toBe(200);
    await closing;
    expect(events[0]).toBe('read answered');
    expect(new Set(events.slice(1, -1))).toEqual(
      new Set(['journal closed', 'core closed', 'customer authentication closed']),
    );
    expect(events.slice(1, -1)).toHaveLength(3);
    expect(events.at(-1)).toBe('database closed');
  });
});
