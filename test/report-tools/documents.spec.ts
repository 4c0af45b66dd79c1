import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { opsCommands, shellWords, taggedBlocks } from '../support/documents.js';
import { writeDays } from '../support/trail-traffic.js';
import { WrittenTrail } from '../support/written-trail.js';
import { reportCommand } from '../support/ops-command.js';

const commands = [...new Set(['reports', 'questions'].flatMap((tag) => opsCommands(tag, 'report')))];
const answers: readonly (readonly [RegExp, RegExp])[] = [
  [/^statistics /, /^2026Q4, from 2026-10-01 to 2026-11-23: the quarter has not ended\nall: uptime 99[.]/],
  [/^figures .*--by/, /^key +uptime-percent [^\n]*\nv3[.]1 balances +99[.]/],
  [/^figures /, /^figure +value +unit +rule\nuptime-percent +\d/],
  [/^explain unplanned/, /^unplanned-downtime-seconds on 2026-11-10: 300 s/],
  [/^explain error/, /"figure":"error-rate-percent","day":"2026-11-10"/],
  [/^mi /, /^2026-11, from 2026-11-01 to 2026-11-23: the month has not ended\nP&A: \d+ rows/],
  [/^rep020 /, /^DRAFT of REP020, 2026Q4/],
  [/^incident /, /The interface was down:\n {2}2026-11-10 12:00:00Z to 2026-11-10 12:05:00Z: 5 min; core-unavailable/],
];

describe('the documented commands about reports', () => {
  const home = process.cwd();
  let trail: WrittenTrail;
  let folder: string;
  beforeAll(async () => {
    trail = await WrittenTrail.make();
    const failing = [{ from: '2026-11-10T12:00:00.000Z', to: '2026-11-10T12:05:00.000Z' }];
    await writeDays(trail, { from: '2026-11-09T00:00:00.000Z', to: '2026-11-25T00:00:00.000Z' }, failing);
    folder = await mkdtemp(join(tmpdir(), 'reports-'));
    process.chdir(folder);
    process.env['TRAIL_DIR'] = trail.folder;
    await writeFile('own-channels.csv', taggedBlocks('own-channels').join(''));
  });
  afterAll(async () => {
    process.chdir(home);
    delete process.env['TRAIL_DIR'];
    await trail.remove();
    await rm(folder, { recursive: true });
  });

  it('are of every kind', () => {
    const kinds = commands.map((command) => answers.findIndex(([form]) => form.test(command)));
    expect([...new Set(kinds)].sort()).toEqual(answers.map((_, index) => index));
  });

  it.each(commands)('npm run ops -- report %s', async (command) => {
    const { code, text, told } = await reportCommand('2026-11-24T09:00:00Z', ...shellWords(command));
    const [, answer = /$^/] = answers.find(([form]) => form.test(command)) ?? [];
    expect([code, text, told.filter((line) => !line.startsWith('indexing'))]).toEqual([
      0,
      expect.stringMatching(answer),
      [],
    ]);
  });
});
