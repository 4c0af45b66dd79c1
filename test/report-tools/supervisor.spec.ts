import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outageStated, writeDays } from '../support/trail-traffic.js';
import { request, type Members, WrittenTrail } from '../support/written-trail.js';
import { reportCommand } from '../support/ops-command.js';

describe('the reports to the supervisor', () => {
  let trail: WrittenTrail;
  let out: string;
  beforeAll(async () => {
    [trail, out] = [await WrittenTrail.make(), await mkdtemp(join(tmpdir(), 'reports-'))];
    const failing = [{ from: '2026-11-02T10:00:00.000Z', to: '2026-11-02T10:05:00.000Z' }];
    const span = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-05T00:00:00.000Z' };
    const planned = { from: '2026-11-02T09:00:00.000Z', to: '2026-11-02T10:01:00.000Z' };
    const check = { endpoint: 'funds-confirmations', method: 'POST', lastByteMs: 9 };
    const more: Readonly<Record<string, Members>> = {
      '2026-11-01': outageStated('2026-11-01T09:00:00.000Z', planned),
      '2026-11-02': request('check', '2026-11-02T12:00:00.500Z', check),
    };
    await writeDays(trail, span, failing, (day) => [more[day] ?? []].flat());
  });
  afterAll(async () => {
    await trail.remove();
    await rm(out, { recursive: true });
  });

  it('are a draft of REP020, in each line and file name', async () => {
    const words = ['rep020', '--quarter', '2026Q4', '--trail', trail.folder, '--out', out];
    const { code, text } = await reportCommand('2026-11-04T09:00:00Z', ...words);
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(/^DRAFT of REP020, 2026Q4, .*the quarter has not ended\nThis is a draft/),
    ]);
    const [header, ...lines] = (await readFile(join(out, 'rep020-2026Q4-draft.csv'), 'utf8')).trimEnd().split('\r\n');
    expect(header).toBe(
      'Status,Day,Interface,Trail,Uptime %,Downtime %,"Account information: mean response time, ms","Confirmation of funds: mean response time, ms",Error response rate %',
    );
    expect(lines.length).toBe(34);
    expect(lines.every((line) => line.startsWith('DRAFT,'))).toBe(true);
    // 60 of 205 requests failed.
    expect(lines.at(-2)).toBe('DRAFT,2026-11-02,dedicated interface,complete,99.6528,0.3472,41,9,29.2683');
    expect(lines[0]).toBe('DRAFT,2026-10-01,dedicated interface,missing,NULL,NULL,NULL,NULL,NULL');
    expect(JSON.parse(await readFile(join(out, 'rep020-2026Q4-draft.json'), 'utf8'))).toMatchObject({ draft: true });
  });

  const incident = (from: string, to: string, ...more: string[]) =>
    reportCommand('2026-11-04T09:00:00Z', 'incident', '--from', from, '--to', to, '--trail', trail.folder, ...more);

  it('state an incident: its downtime as a whole, its cause, and the requests and TPPs of the time alone', async () => {
    const { text } = await incident('2026-11-02T10:02:00Z', '2026-11-02T10:03:00Z', '--json');
    expect(JSON.parse(text)).toMatchObject({
      downtimes: [
        {
          begin: '2026-11-02T10:00:00.000Z',
          end: '2026-11-02T10:05:00.000Z',
          goesOn: false,
          seconds: 300,
          plannedSeconds: 60,
          unplannedSeconds: 240,
          cause: 'core-unavailable',
          unanswered: 60,
          withCause: 60,
        },
      ],
      extent: [{ requests: 12, unanswered: 12, tppsAffected: 1, consentsAffected: 1 }],
      causes: [{ cause: 'core-unavailable', core: 'ledger', requests: 12 }],
      endpoints: [{ endpoint: 'balances', requests: 12 }],
      examples: [{ at: '2026-11-02T10:02:00.000Z' }, {}, {}, {}, {}],
      plannedOutages: [],
    });
    expect(JSON.parse(text).instances).toHaveLength(2);
  });

  it('print an incident for a person, with the planned outage', async () => {
    const { text } = await incident('2026-11-02', '2026-11-02');
    expect(text).toContain(
      '  2026-11-02 10:00:00Z to 2026-11-02 10:05:00Z: 5 min, 1 min of it planned; core-unavailable (60 of 60 unanswered requests)',
    );
    expect(text).toContain('2026-11-02T09:00:00.000Z  2026-11-02T10:01:00.000Z');
  });

  it('say that the interface was not down', async () => {
    expect((await incident('2026-11-03', '2026-11-03')).text).toMatch(/^No downtime[.]$/m);
  });

  it('never say so of a time that the trail does not cover', async () => {
    const { text } = await incident('2026-10-31', '2026-10-31');
    expect(text).toContain(
      'No downtime is known, but the trail does not cover all of this time.\nThe trail of 2026-10-31 is missing: it has no event.',
    );
    const json = JSON.parse((await incident('2026-10-31', '2026-10-31', '--json')).text) as object;
    expect(json).toMatchObject({ downtimes: [], marked: [{ day: '2026-10-31', state: 'missing' }] });
  });

  it.each([
    [['incident', '--from', '2026-11-03'], /required option '--to <T>' not specified/],
    [['incident', '--from', '2026-11-03', '--to', '2026-11-02'], /--to is not after --from/],
    [['incident', '--from', '2026-12-03', '--to', '2026-12-04'], /--from has not begun yet/],
    [['incident', '--from', '2026-11-03T10:00', '--to', '2026-11-04'], /--from is not a time/],
    [['rep020', '--quarter', '4'], /--quarter is not a quarter/],
  ])('refuse in a sentence: %j', async (words, complaint) => {
    const { code, told } = await reportCommand('2026-11-04T09:00:00Z', ...words);
    expect([code, told.length, told[0]]).toEqual([2, 1, expect.stringMatching(complaint)]);
  });
});
