import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createCoreAdapter } from '../../src/adapters/load-adapter.js';
import { readCoreSettings } from '../../src/config/command-core.js';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { walk, writeWalk } from './files-of-walk.js';
import { context } from './small-feed.js';
import { opsCommand } from '../support/ops-command.js';

const commands = [...walk.matchAll(/^npm run --silent ops -- feed (.*)\n```\n\n```text\n([\s\S]*?)\n```$/gm)];

const withoutSize = (line: string): string => line.replace(/; [\d.]+ MB$/, '');

it('every file and command of the walk works as it says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'walk-'));
  const variables = writeWalk(folder);
  const core = () => readCoreSettings(variables);
  expect(commands).toHaveLength(2);
  for (const [, words = '', expected = ''] of commands) {
    const given = words.replace(/ delivery$/, ` ${join(folder, 'delivery')}`).split(' ');
    const { told, text } = await opsCommand(['feed', ...given], { core });
    expect(withoutSize([...told, text].join('\n'))).toBe(withoutSize(expected));
  }
  const nowMs = Date.parse('2026-11-21T06:00:00Z');
  const adapter = await createCoreAdapter('feed', core(), { ...kitServices, clock: { nowMs: () => nowMs } });
  const { items } = await adapter.accounts(context('C1'));
  expect(items.map(({ ref, accountNumber }) => [ref, accountNumber])).toEqual([['A1', '10010010']]);
  const found = await adapter.transactions?.('A1', { read: 'older', limit: 2 }, context('C1'));
  expect(found?.items.map(({ id, amount }) => [id, amount.minorUnits])).toEqual([
    ['T2', -650n],
    ['T1', 10000n],
  ]);
  await adapter.close();
});
