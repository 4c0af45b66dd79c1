import { afterEach, describe, expect, it } from '@jest/globals';
import { readBankAddress } from '../../src/config/bank-address.js';
import { opsCommands, shellWords } from '../support/documents.js';
import { FakeClock } from '../support/fake-clock.js';
import { opsCommand } from '../support/ops-command.js';
import { portOf } from '../support/raw-http.js';
import { trailEvents } from '../support/read-trail.js';
import { bankCredential, dayMs, noon, Stack, type Json, type StackOptions } from '../support/stack.js';
import { until } from '../support/until.js';

const iso = (atMs: number): string => new Date(atMs).toISOString();
const hourMs = 3_600_000;
const text = "The bank's systems are upgraded.";
const outage = (fromMs: number, toMs: number) => ({ from: iso(fromMs), to: iso(toMs), text });

describe('planned outages', () => {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    while (cleanUps.length > 0) await cleanUps.pop()?.();
  });
  const started = async (options: StackOptions = {}): Promise<Stack> => {
    const stack = await Stack.start(options);
    cleanUps.push(() => stack.close());
    return stack;
  };
  const listening = async (stack: Stack): Promise<Readonly<Record<string, string>>> => {
    await stack.gateway.bankServer.listen({ host: '127.0.0.1', port: 0 });
    return { BANK_CREDENTIAL: bankCredential, BANK_PORT: String(portOf(stack.gateway.bankServer)) };
  };
  const page = async (stack: Stack): Promise<Json> =>
    JSON.parse((await stack.gateway.server.inject('/.well-known/account-information')).body);
  const remove = (stack: Stack, id: string) =>
    stack.gateway.bankServer.inject({
      method: 'DELETE',
      url: `/bank/v1/outages/${encodeURIComponent(id)}`,
      headers: { authorization: `Bearer ${bankCredential}` },
    });

  it('are stated, listed and removed as the document writes it', async () => {
    const stack = await started({ clock: new FakeClock(Date.parse('2026-12-01T00:00:00Z')) });
    const settings = await listening(stack);
    const said: string[] = [];
    let id = '';
    for (const command of opsCommands('outages', 'outages')) {
      const words = shellWords(command);
      const given = ['outages', ...words.map((word) => (word === 'ID' ? id : word))];
      const answer = await opsCommand(given, { operator: () => readBankAddress(settings) });
      said.push(answer.text);
      expect([command, answer]).toEqual([command, { code: 0, text: answer.text, told: [] }]);
      id = said[0]?.split(' ')[0] ?? '';
    }
    const shown = `${id}  2026-12-05 22:00:00Z to 2026-12-06 01:30:00Z  ${text}`;
    expect(said).toEqual([shown, shown, `removed: ${shown}`]);
  });

  it('are needed whole by the command, which says the gateway’s reason of a refusal', async () => {
    const stack = await started();
    const settings = await listening(stack);
    const run = async (...words: string[]) => {
      const { code, text, told } = await opsCommand(['outages', ...words], {
        operator: () => readBankAddress(settings),
      });
      return [code, text + told.join('\n')];
    };
    expect(await run('list')).toEqual([0, 'no outage is planned']);
    expect(await run('add', '--from', iso(noon), '--text', 'x')).toEqual([
      2,
      "required option '--to <T>' not specified, see: npm run ops -- outages add --help",
    ]);
    expect(await run('add', '--from', iso(noon), '--to', iso(noon), '--text', 'x')).toEqual([
      1,
      'The outage ends before it begins, or at that moment.',
    ]);
    expect(await run('remove', '../tpps')).toEqual([1, 'No planned outage has this id.']);
  });

  it('are shown to TPPs from the statement on, and are the status from the first millisecond to the last', async () => {
    const stack = await started();
    await stack.report('/outages', outage(noon + hourMs, noon + 2 * hourMs));
    const listed = [{ FromDateTime: '2026-06-15T13:00:00+00:00', ToDateTime: '2026-06-15T14:00:00+00:00', Text: text }];
    const state = async () => {
      const { Status, StatusSinceDateTime, PlannedOutages } = await page(stack);
      return [Status, StatusSinceDateTime, PlannedOutages];
    };
    stack.clock.advance(hourMs - 1);
    expect(await state()).toEqual(['OK', expect.any(String), listed]);
    stack.clock.advance(1);
    expect(await state()).toEqual(['SCHEDULED_OUTAGE', '2026-06-15T13:00:00+00:00', listed]);
    stack.clock.advance(hourMs - 1);
    expect(await state()).toEqual(['SCHEDULED_OUTAGE', '2026-06-15T13:00:00+00:00', listed]);
    stack.clock.advance(1);
    expect(await state()).toEqual(['OK', expect.any(String), []]);
  });

  it('may touch and not overlap, also when two are stated at the same moment', async () => {
    const stack = await started();
    const [fromMs, toMs] = [noon + hourMs, noon + 2 * hourMs];
    const both = await Promise.all([1, 2].map(() => stack.report('/outages', outage(fromMs, toMs))));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    for (const [from, to, status] of [
      [fromMs - 1, fromMs, 200],
      [toMs, toMs + 1, 200],
      [toMs - 1, toMs + hourMs, 400],
      [fromMs - hourMs + 1, toMs + hourMs, 400],
      [fromMs + 1, toMs - 1, 400],
    ] as const)
      expect([iso(from), (await stack.report('/outages', outage(from, to))).status]).toEqual([iso(from), status]);
  });

  it('begin now or later, end after that, and within 366 days', async () => {
    const stack = await started();
    const tried = async (fromMs: number, toMs: number) => {
      const { status, json } = await stack.report('/outages', outage(fromMs, toMs));
      return status === 200 ? 200 : json.Errors[0].Message;
    };
    const latest = noon + 366 * dayMs;
    expect(await tried(noon - 1, noon + 1)).toMatch(/^The outage begins in the past/);
    expect(await tried(noon + 1, noon + 1)).toMatch(/^The outage ends before it begins/);
    expect(await tried(noon + 2, noon + 1)).toMatch(/^The outage ends before it begins/);
    expect(await tried(latest - 1, latest + 1)).toMatch(/^The outage ends more than 366 days from now/);
    expect(await tried(noon, noon + 1)).toBe(200);
    expect(await tried(latest - 1, latest)).toBe(200);
  });

  it('can be removed up to their first moment, and not from then on', async () => {
    const stack = await started();
    const [one, two] = [
      await stack.report('/outages', outage(noon + 1_000, noon + 2_000)),
      await stack.report('/outages', outage(noon + 2_000, noon + 3_000)),
    ];
    stack.clock.advance(999);
    expect((await remove(stack, one.json.OutageId)).statusCode).toBe(200);
    stack.clock.advance(1_001);
    for (const ms of [0, 500, dayMs]) {
      stack.clock.advance(ms);
      const { statusCode, body } = await remove(stack, two.json.OutageId);
      expect([statusCode, JSON.parse(body).Errors[0].Message]).toEqual([
        400,
        expect.stringMatching(/^The outage has begun/),
      ]);
    }
    expect((await stack.report('/outages')).json.Outages).toMatchObject([{ OutageId: two.json.OutageId }]);
  });

  it('leave an event each in the trail, without the text', async () => {
    const stack = await started();
    const { json } = await stack.report('/outages', outage(noon + hourMs, noon + 2 * hourMs));
    await remove(stack, json.OutageId);
    const event = {
      kind: 'outage',
      outage: json.OutageId,
      by: 'bank',
      interactionId: expect.any(String),
      from: iso(noon + hourMs),
      to: iso(noon + 2 * hourMs),
    };
    await until(async () => {
      const events = await trailEvents(stack.config.trail.directory);
      return events.filter(({ kind }) => kind === 'outage').length === 2;
    });
    const events = await trailEvents(stack.config.trail.directory);
    expect(events.filter(({ kind }) => kind === 'outage')).toMatchObject([
      { ...event, event: 'planned' },
      { ...event, event: 'removed' },
    ]);
    expect(JSON.stringify(events)).not.toContain(text);
  });

  const wrongParts: readonly (readonly [string, object])[] = [
    ['no date-time', { from: 'tomorrow' }],
    ['a day without a time', { from: '2026-06-16' }],
    ['a time beyond the calendar', { to: '2026-06-31T00:00:00Z' }],
    ['a year of five digits', { to: '+12026-06-16T00:00:00Z' }],
    ['a long time', { to: '2'.repeat(10_000) }],
    ['no text', { text: '' }],
    ['a long text', { text: 'x'.repeat(301) }],
    ['a text of two lines', { text: 'one\ntwo' }],
    ['a lone surrogate', { text: '\ud800' }],
    ['another type', { text: 7 }],
    ['a member that is unknown', { id: 'mine' }],
  ];
  it('are refused with a time, a text or a member that breaks a rule', async () => {
    const stack = await started();
    for (const [fault, part] of wrongParts) {
      const body = { ...outage(noon + hourMs, noon + 2 * hourMs), ...part };
      expect([fault, (await stack.report('/outages', body)).status]).toEqual([fault, 400]);
    }
    expect((await stack.report('/outages')).json).toEqual({ Outages: [] });
  });

  it('keep a text with markup and SQL as it is, as text', async () => {
    const stack = await started();
    const hostile = `</script><b>'; DROP TABLE planned_outages; --`;
    await stack.report('/outages', { ...outage(noon + hourMs, noon + 2 * hourMs), text: hostile });
    const { headers } = await stack.gateway.server.inject('/.well-known/account-information');
    expect([headers['content-type'], (await page(stack)).PlannedOutages[0].Text]).toEqual([
      'application/json; charset=utf-8',
      hostile,
    ]);
  });

  it('need the credential of the bank', async () => {
    const stack = await started();
    expect((await stack.report('/outages', undefined, 'wrong')).status).toBe(401);
    expect((await stack.report('/outages', outage(noon, noon + 1), 'wrong')).status).toBe(401);
  });
});
