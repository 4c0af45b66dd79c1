import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sizeCommand } from '../../operations/size/command.js';
import { assumptions, estimate } from '../../operations/size/estimate.js';
import { measuredFile, type Measured } from '../../operations/size/measured.js';
import { packageRoot } from '../../src/persistence/package-root.js';

const measured = JSON.parse(await readFile(measuredFile, 'utf8')) as Measured;

async function run(line: string): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const tell = (text: string): void => void said.push(text);
  return { code: await sizeCommand(line.split(' ').filter(Boolean), tell, tell), said: said.join('\n') };
}

/** Round figures, by which each result can be worked out in the head. */
const round: Measured = {
  'uk-day': {
    ...measured['uk-day'],
    consents: 1_000,
    databaseBytes: 1_000_000,
    indexBytes: 500_000,
    gatewayMsHot: 1,
    gatewayMsCold: 2,
    databaseMs: 1,
    walBytes: 1_000,
    trailBytes: 500,
    gatewayMegabytes: 250,
  },
  questions: { ...measured.questions, segmentBytes: 600, parquetBytes: 60 },
};
const secondsOfMonth = 30 * 86_400;

describe('the size of an installation', () => {
  it('follows from the measured figures and the printed assumptions', () => {
    expect(estimate({ consents: 10_000_000, calls: 1_000 * secondsOfMonth }, round)).toEqual({
      callsPerSecond: { mean: 1_000, peak: 3_000 },
      // 3,000 reads of 2 ms are 6 seconds of work a second, and 12 processors are half busy with it.
      gateway: { processes: 12, cores: 12, memoryGigabytes: 3 },
      postgresql: { cores: 6, memoryGigabytes: 6, diskGigabytes: 12, connections: 143, walMegabytesPerSecond: 3 },
      trail: { segmentGigabytes: 1_296, indexGigabytes: 129.6 },
    });
  });

  it('is never less than two processes, and a PostgreSQL of two cores and a gigabyte', () => {
    const { gateway, postgresql } = estimate({ consents: 1, calls: 1 }, round);
    expect([gateway.processes, postgresql.cores, postgresql.memoryGigabytes]).toEqual([2, 2, 1]);
  });

  it.each([
    ['as many calls as two half-busy processes bear', 2, 166.66],
    ['one more', 3, 166.67],
  ])('has %s', (_case, processes, perSecond) => {
    const { gateway } = estimate({ consents: 1_000, calls: perSecond * secondsOfMonth }, round);
    expect(gateway.processes).toBe(processes);
  });

  it('is printed with the day and the machine of its figures, and with every assumption', async () => {
    const { code, said } = await run('--consents 10M --calls 500M');
    expect(code).toBe(0);
    expect(said).toContain('10,000,000 consents and 500,000,000 calls a month');
    for (const text of [measured['uk-day'].date, measured['uk-day'].machine.model, ...assumptions])
      expect(said).toContain(text);
  });

  it('is printed for a program with the figures that it follows from', async () => {
    const { said } = await run('--consents 10000000 --calls 0.5B --json');
    const wanted = { consents: 10_000_000, calls: 500_000_000 };
    expect(JSON.parse(said)).toEqual({ ...wanted, ...estimate(wanted, measured), assumptions, measured });
  });

  it.each([
    ['', '--consents must be a number above 0'],
    ['--consents 10M', '--calls must be a number above 0'],
    ['--consents 0 --calls 1', '--consents must be a number above 0'],
    ['--consents 10m --calls 1', '--consents must be a number above 0'],
    ['--consents -1 --calls 1', "'--consents"],
    ['--consents 1 --calls 1 --tpps 3', "Unknown option '--tpps'"],
  ])('is refused for "%s"', async (line, reason) => {
    const { code, said } = await run(line);
    expect([code, said]).toEqual([2, expect.stringContaining(reason)]);
    expect(said).toContain('npm run size -- help');
  });

  it.each(['help', '--help'])('has its usage: %s', async (word) => {
    expect(await run(word)).toEqual({ code: 0, said: expect.stringContaining('--calls N') });
  });
});

describe('the document about growth', () => {
  it('shows the answers of its commands', async () => {
    const document = await readFile(join(packageRoot(), 'docs/scaling.md'), 'utf8');
    const shown = [...document.matchAll(/```sh\nnpm run --silent size -- (.+)\n```\n\n```text\n([^`]+)\n```/g)];
    expect(shown).not.toEqual([]);
    for (const [, line = '', text] of shown) expect((await run(line)).said).toBe(text);
  });
});
