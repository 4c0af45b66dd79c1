import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reportCommand } from '../support/ops-command.js';

describe('npm run ops -- report', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reports-'));
    await writeFile(join(folder, 'file'), '');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    [['statistics'], /required option '--quarter <Q>' not specified/],
    [['statistics', '--quarter', '2026-Q4'], /--quarter is not a quarter: write it like 2026Q4/],
    [['statistics', '--quarter', "2026Q4'; DROP TABLE events"], /--quarter is not a quarter/],
    [['statistics', '--quarter', '2026Q5'], /--quarter is not a quarter/],
    [
      ['statistics', '--quarter', '2026Q4', '--quarter', '2026Q3'],
      /'--quarter <Q>' argument '2026Q3' is invalid. It may be given once/,
    ],
    [['explain', '--day', '2026-11-10'], /missing required argument 'FIGURE'/],
    [['explain', 'uptime', '--day', '2026-11-10'], /there is no such figure; the figures are uptime-percent, /],
    [['explain', '__proto__', '--day', '2026-11-10'], /there is no such figure/],
    [['explain', 'uptime-percent'], /required option '--day <D>' not specified/],
    [['explain', 'uptime-percent', '--day', '2026-02-31'], /--day is not a day/],
    [['explain', 'uptime-percent', '--day', '2026-11-10T00:00'], /--day is not a day/],
    [['explain', 'uptime-percent', '--day', '2026-11-25'], /--day has not begun yet/],
    [['figures', '--from', '2026-11-10'], /required option '--to <D>' not specified/],
    [['figures', '--from', '2026-11-10', '--to', '2026-11-09'], /--to is before --from/],
    [['figures', '--from', '2024-01-01', '--to', '2026-11-09'], /more than a year apart/],
    [['figures', '--from', '2026-11-10', '--to', '2026-11-10', '--quarter', '2026Q4'], /unknown option '--quarter'/],
    [['figures', '--from', '../..', '--to', '2026-11-10'], /--from is not a day/],
    [['constructor'], /unknown command 'constructor'/],
  ])('refuses in a sentence: %j', async (words, complaint) => {
    const { code, told } = await reportCommand('2026-11-24T09:00:00Z', ...words);
    expect([code, told.length, told[0]]).toEqual([2, 1, expect.stringMatching(complaint)]);
  });

  it.each([
    [['statistics', '--quarter', '2026Q4', '--trail', 'absent'], /the trail absent cannot be read \(ENOENT\)/],
    [
      ['statistics', '--quarter', '2026Q4', '--trail', '', '--out', 'file/reports'],
      /cannot be written \(ENOTDIR\): name another/,
    ],
  ])('fails in a sentence: %j', async (words, complaint) => {
    const placed = words.map((word) => (word === '' ? folder : word === 'file/reports' ? join(folder, word) : word));
    const { code, told } = await reportCommand('2026-11-24T09:00:00Z', ...placed);
    expect([code, told.length, told[0]]).toEqual([1, 1, expect.stringMatching(complaint)]);
  });

  it('refuses a grouping that it does not know', async () => {
    const words = ['figures', '--from', '2026-11-10', '--to', '2026-11-10', '--by', 'customer', '--trail', folder];
    const { code, told } = await reportCommand('2026-11-24T09:00:00Z', ...words);
    expect([code, told.join()]).toEqual([
      2,
      expect.stringMatching(/--by is one of day, hour, version, endpoint, stage/),
    ]);
  });
});
