import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { neededEvents } from '../../ops/report/measured-trail.js';
import { dayOf } from '../../ops/report/period.js';
import { rowsOf } from '../../ops/report/queries.js';
import { withTrail } from '../../ops/trail/searched-trail.js';
import { failed, healthCheck, outageStated } from '../support/trail-traffic.js';
import { request, WrittenTrail } from '../support/written-trail.js';
import { reportCommand } from '../support/ops-command.js';

const now = '2026-11-24T09:00:00Z';
const [one, other] = ['gateway-1-11111111', 'gateway-2-22222222'];
const at = (time: string): string => `2026-11-10T${time}.000Z`;
const created = {
  kind: 'consent',
  id: 'c',
  at: '2026-09-01T10:00:00.000Z',
  consent: 'aac-1',
  event: 'created',
  by: 'tpp',
};
const planned = { from: at('11:00:00'), to: at('13:00:00') };

describe('a report', () => {
  let trail: WrittenTrail;
  let out: string;
  beforeEach(async () => {
    trail = await WrittenTrail.make();
    out = await mkdtemp(join(tmpdir(), 'reports-'));
  });
  afterEach(async () => {
    await trail.remove();
    await rm(out, { recursive: true });
  });

  /** An outage was stated long before, and five requests fail in it. */
  async function writeOutage(): Promise<void> {
    const old = request('old', '2026-09-01T09:00:00.000Z');
    await trail.close('2026-09-01T08:00:00.000Z', one, [
      old,
      created,
      outageStated('2026-09-01T11:00:00.000Z', planned),
    ]);
    await trail.close('2026-11-09T12:00:00.000Z', one, [healthCheck('2026-11-09T23:59:50.000Z')]);
    const down = [0, 5, 10, 15, 20].map((second) =>
      request(`u-${second}`, at(`12:00:${String(second).padStart(2, '0')}`), failed),
    );
    await trail.close(at('00:00:05'), one, [...down, request('a', at('12:01:40'))]);
    await trail.close('2026-11-11T00:00:05.000Z', one, [healthCheck('2026-11-11T00:10:00.000Z')]);
  }

  it('reads of the days before it what was stated there, and no request', async () => {
    await writeOutage();
    const needed = neededEvents(dayOf('day', '2026-11-10', Date.parse(now)), undefined);
    const read = await withTrail(
      [trail.folder],
      needed,
      () => undefined,
      ({ connection }) =>
        rowsOf(
          connection,
          `SELECT DISTINCT substr("at", 1, 10) AS day, "kind" FROM events WHERE "kind" <> 'segment' ORDER BY ALL`,
        ),
    );
    expect(read.map(({ day, kind }) => `${day} ${kind}`)).toEqual([
      '2026-09-01 consent',
      '2026-09-01 outage',
      '2026-11-09 request',
      '2026-11-10 request',
      '2026-11-11 request',
    ]);
  });

  it('knows by the roots of earlier days which processes ran then', async () => {
    // The third day before is not read, and the process that left no event for two days has run since then.
    await trail.close('2026-11-07T12:00:00.000Z', one, [healthCheck('2026-11-07T12:00:00.000Z')]);
    await trail.close('2026-11-08T12:00:00.000Z', other, [healthCheck('2026-11-08T12:00:00.000Z')]);
    await trail.close(at('12:00:00'), one, [healthCheck(at('12:00:00'))]);
    await trail.close('2026-11-11T12:00:00.000Z', one, [healthCheck('2026-11-11T12:00:00.000Z')]);
    const asked = ['explain', 'covered-seconds', '--day', '2026-11-10', '--trail', trail.folder, '--json'];
    const { code, text } = await reportCommand(now, ...asked);
    expect([code, (JSON.parse(text) as { value: unknown }).value]).toEqual([0, 86_400]);
  });

  it('reads no day before --from, which is not a day after its first one', async () => {
    await writeOutage();
    const plannedSeconds = async (...words: string[]): Promise<unknown> => {
      const asked = ['statistics', '--quarter', '2026Q4', '--trail', trail.folder, '--out', out, ...words, '--json'];
      const { code, text, told } = await reportCommand(now, ...asked);
      if (code !== 0) return told.join();
      const { interfaces } = JSON.parse(text) as { interfaces: { quarter: Record<string, unknown> }[] };
      return interfaces[0]?.quarter['planned-downtime-seconds'];
    };
    expect(await plannedSeconds()).toBe(100);
    expect(await plannedSeconds('--from', '2026-09-01')).toBe(100);
    expect(await plannedSeconds('--from', '2026-10-01')).toBe(0);
    expect(await plannedSeconds('--from', '2026-10-02')).toContain('--from is after the first day of the report');
    expect(await plannedSeconds('--from', 'autumn')).toContain('--from is not a day');
  });
});
