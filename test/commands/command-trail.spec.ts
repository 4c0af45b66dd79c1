import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandFailed } from '../../src/command-line/command.js';
import type { CommandSettings } from '../../ops/command-settings.js';
import { recordCommand } from '../../ops/command-trail.js';
import { pseudonymOfCustomer } from '../../src/trail/pseudonyms.js';
import { FakeClock } from '../support/fake-clock.js';
import { opsCommand } from '../support/ops-command.js';
import { eventsOf, trailEvents } from '../support/read-trail.js';

const pseudonymKey = 'pseudonym-key-of-the-tests-0123456789abc';
const key = 'trail-key-of-the-tests-0123456789abcdef';
const clock = new FakeClock(Date.parse('2026-11-24T12:00:00.000Z'));

describe('the trail of commands past the gateways', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trail-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function command(words: readonly string[], settings: Partial<CommandSettings> = {}) {
    const { code, told: complaints } = await opsCommand(words, {
      record: (carriedOut) => recordCommand(carriedOut, { directory, clock, key, pseudonymKey }),
      openDatabase: () => Promise.reject(new CommandFailed('there is no database')),
      retentionDays: () => 30,
      core: () => ({ name: 'ledger' }) as ReturnType<CommandSettings['core']>,
      trailKey: () => 'key',
      dataKeys: () => ['key'],
      clock,
      ...settings,
    });
    return { code, complaints };
  }

  it.each([
    ['migrate', ['migrate']],
    ['retention', ['retention']],
    ['accept-key', ['accept-key', 'ID_KEY']],
    ['recover', ['recover', '--trail', '/nowhere', '--since', 'x']],
    ['feed load', ['feed', 'load', '--delivery', '/nowhere']],
  ])('has %s, in a segment that is closed', async (name, words) => {
    expect((await command(words)).code).toBe(1);
    expect(await eventsOf(directory, 'operator')).toMatchObject([
      { command: name, by: 'bank', outcome: 'failed', at: '2026-11-24T12:00:00.000Z', id: expect.any(String) },
    ]);
    const files = await readdir(join(directory, '2026-11-24'));
    expect(files).toEqual([expect.stringMatching(/^20261124T120000000Z\.[a-z0-9-]+\.ndjson$/)]);
  });

  it('has the pseudonym of an erased customer, and not the reference', async () => {
    await command(['erase', 'customer', 'C-secret']);
    const [event] = await eventsOf(directory, 'operator');
    expect(event).toMatchObject({
      command: 'erase customer',
      target: { customer: pseudonymOfCustomer(pseudonymKey, 'C-secret') },
    });
    expect(JSON.stringify(await trailEvents(directory))).not.toContain('C-secret');
  });

  it('has no words that are not a command', async () => {
    expect((await command(['migrate', 'now'])).code).toBe(2);
    expect(await readdir(directory)).toEqual([]);
  });

  it('writes nothing without the key of the trail, because no gateway would root it', async () => {
    const record: CommandSettings['record'] = (carriedOut) =>
      recordCommand(carriedOut, { directory, clock, key: undefined });
    expect((await command(['migrate'], { record })).complaints[0]).toBe(
      'the command was not recorded in the decision trail: TRAIL_KEY is not set: it must be that of the gateways',
    );
    expect(await readdir(directory)).toEqual([]);
  });

  it('makes no folder: the command says that its event is missing, and its outcome stays', async () => {
    const absent = join(directory, 'absent');
    const record: CommandSettings['record'] = (carriedOut) =>
      recordCommand(carriedOut, { directory: absent, clock, key });
    const { code, complaints } = await command(['migrate'], { record });
    expect([code, complaints]).toEqual([
      1,
      [
        `the command was not recorded in the decision trail: the trail ${absent} cannot be found (ENOENT)`,
        'there is no database',
      ],
    ]);
    expect(await readdir(directory)).toEqual([]);
  });
});
