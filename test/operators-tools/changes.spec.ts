import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { changeCommands } from '../../operations/changes/commands.js';
import { runCommandLine } from '../../operations/command-line.js';
import { readBankAddress } from '../../src/config/bank-address.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { dyingDatabase } from '../support/dying-database.js';
import { FakeClock } from '../support/fake-clock.js';
import { portOf } from '../support/raw-http.js';
import { eventsOf } from '../support/read-trail.js';
import { bankCredential, dayMs, noon, Stack, type Json, type StackOptions } from '../support/stack.js';
import { until } from '../support/until.js';

const iso = (atMs: number): string => new Date(atMs).toISOString();
const text = 'The endpoint products ends.';
const change = (fromMs: number, more: object = {}) => ({ from: iso(fromMs), kind: 'REMOVAL', text, ...more });

describe('announced changes', () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    while (cleanUps.length > 0) await cleanUps.pop()?.();
  });
  const started = async (options: StackOptions = {}): Promise<Stack> => {
    const stack = await Stack.start(options);
    cleanUps.push(() => stack.close());
    return stack;
  };
  const shown = async (stack: Stack): Promise<Json> =>
    JSON.parse((await stack.gateway.server.inject('/.well-known/account-information')).body).AnnouncedChanges;
  const remove = (stack: Stack, id: string) =>
    stack.gateway.bankServer.inject({
      method: 'DELETE',
      url: `/bank/v1/changes/${encodeURIComponent(id)}`,
      headers: { authorization: `Bearer ${bankCredential}` },
    });

  it('are announced, listed and removed as the runbook writes it', async () => {
    const stack = await started({ clock: new FakeClock(Date.parse('2026-12-01T00:00:00Z')) });
    await stack.gateway.bankServer.listen({ host: '127.0.0.1', port: 0 });
    const settings = { BANK_CREDENTIAL: bankCredential, BANK_PORT: String(portOf(stack.gateway.bankServer)) };
    const run = async (words: readonly string[]): Promise<[number, string]> => {
      const said: string[] = [];
      const table = changeCommands(() => readBankAddress(settings));
      const say = (line: string) => void said.push(line);
      return [await runCommandLine(table, words, say, say), said.join('\n')];
    };
    const runbook = await readFile(join(packageRoot(), 'docs/runbook.md'), 'utf8');
    const commands = [...runbook.matchAll(/^npm run changes -- (.+)$/gm)].map(([, words = '']) => words);
    const answers: [number, string][] = [];
    for (const command of commands) {
      const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      answers.push(await run(words.map((word) => (word === 'ID' ? (answers[0]?.[1].split(' ')[0] ?? '') : word))));
    }
    const line = expect.stringMatching(
      /^[0-9a-f-]{36} {2}2027-03-01 00:00:00Z {2}REMOVAL {2}The endpoint products ends[.] {2}https:/,
    );
    expect(answers).toEqual([
      [0, line],
      [0, line],
      [0, expect.stringMatching(/^removed: /)],
    ]);
    expect(await run(['list'])).toEqual([0, 'no change is announced']);
    expect(await run(['add', '--from', iso(noon), '--text', 'x'])).toEqual([
      2,
      'add needs --kind, see: npm run changes -- help',
    ]);
    expect(await run(['remove', '../tpps'])).toEqual([1, 'No announced change has this id.']);
  });

  it('are shown to TPPs at once, by their time, until 30 days after they took effect', async () => {
    const stack = await started();
    await stack.report('/changes', change(noon + dayMs, { link: 'https://bank.example/changes#1' }));
    await stack.report('/changes', change(noon, { kind: 'CERTIFICATES', text: 'Our certificate changes.' }));
    const first = { FromDateTime: '2026-06-15T12:00:00+00:00', Kind: 'CERTIFICATES', Text: 'Our certificate changes.' };
    const second = { FromDateTime: '2026-06-16T12:00:00+00:00', Kind: 'REMOVAL', Text: text };
    const both = [first, { ...second, Link: 'https://bank.example/changes#1' }];
    expect(await shown(stack)).toEqual(both);
    stack.clock.advance(30 * dayMs - 1);
    expect(await shown(stack)).toEqual(both);
    stack.clock.advance(1);
    expect(await shown(stack)).toEqual(both.slice(1));
    expect((await stack.report('/changes')).json.Changes).toHaveLength(2);
  });

  it('take effect at most 30 days ago and three years from now', async () => {
    const stack = await started();
    const tried = async (fromMs: number) => {
      const { status, json } = await stack.report('/changes', change(fromMs));
      return status === 200 ? 200 : json.Errors[0].Message;
    };
    expect(await tried(noon - 30 * dayMs)).toMatch(/^The change took effect more than 30 days ago/);
    expect(await tried(noon - 30 * dayMs + 1)).toBe(200);
    expect(await tried(noon + 3 * 366 * dayMs)).toBe(200);
    expect(await tried(noon + 3 * 366 * dayMs + 1)).toMatch(/^The change takes effect more than three years from now/);
  });

  it('are gone once they are removed, and removed once', async () => {
    const stack = await started();
    const { json } = await stack.report('/changes', change(noon));
    const removals = await Promise.all([remove(stack, json.ChangeId), remove(stack, json.ChangeId)]);
    expect(removals.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
    expect(await shown(stack)).toEqual([]);
    expect((await remove(stack, '\0')).statusCode).toBe(400);
  });

  it('stay shown while the database is away', async () => {
    const database = await dyingDatabase();
    const stack = await started(database.options);
    await stack.report('/changes', change(noon));
    await database.die();
    expect(await shown(stack)).toMatchObject([{ Text: text }]);
    cleanUps.push(() => database.drop());
  });

  it('are operators’ acts in the trail, without the text', async () => {
    const stack = await started();
    await remove(stack, (await stack.report('/changes', change(noon))).json.ChangeId);
    const acts = async () =>
      (await eventsOf(stack.config.trail.directory, 'operator')).map(({ command, by, outcome }) => [
        command,
        by,
        outcome,
      ]);
    await until(async () => (await acts()).length >= 2);
    expect(await acts()).toEqual([
      ['announceChange', 'bank', 'done'],
      ['removeChange', 'bank', 'done'],
    ]);
    expect(JSON.stringify(await eventsOf(stack.config.trail.directory, 'operator'))).not.toContain(text);
  });
});

describe('an announcement', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.close());

  it.each<[string, object]>([
    ['no date-time', { from: 'tomorrow' }],
    ['another kind', { kind: 'SURPRISE' }],
    ['no text', { text: '' }],
    ['a long text', { text: 'x'.repeat(301) }],
    ['a text of two lines', { text: 'one\ntwo' }],
    ['a link without TLS', { link: 'http://bank.example' }],
    ['a script as its link', { link: 'javascript:alert(1)' }],
    ['a link with a user name', { link: 'https://bank.example@evil.example' }],
    ['a long link', { link: `https://bank.example/${'x'.repeat(500)}` }],
    ['a member that is unknown', { id: 'mine' }],
  ])('is refused with %s', async (_, part) => {
    expect((await stack.report('/changes', change(noon, part))).status).toBe(400);
    expect((await stack.report('/changes')).json).toEqual({ Changes: [] });
  });

  it('needs a credential', async () => {
    expect((await stack.report('/changes', change(noon), 'wrong')).status).toBe(401);
    expect((await stack.report('/changes', undefined, 'wrong')).status).toBe(401);
  });
});
