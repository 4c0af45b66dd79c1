import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkersMetrics } from '../../src/boot/workers/workers-metrics.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { AuthorisationSetting } from '../authorisation/setting.js';

const page = readFileSync(join(packageRoot(), 'docs', 'operate', 'metrics.md'), 'utf8');
const [, table = ''] = /^\| metric .*\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
/** The rows of the table: each metric with the names of its labels. */
const documented = new Map(
  table
    .trimEnd()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .map(([, metric = '', labels = '']) => [
      metric.replaceAll('`', ''),
      [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label as string).sort(),
    ]),
);
/** Those of prom-client, which the text below the table names by their beginnings. */
const ofLibrary = /^(process|nodejs)_/;

describe('the metrics in docs/operate/metrics.md', () => {
  let setting: AuthorisationSetting;
  let text: string;
  beforeAll(async () => {
    // With all parts that have metrics.
    setting = await AuthorisationSetting.start();
    const { stack } = setting;
    const { token, accountId } = await stack.consent({ persona: 'saver' });
    await stack.ask(`/accounts/${accountId('Savings')}/balances`, { token });
    await stack.ask('/accounts', {});
    text = (await stack.gateway.bankServer.inject({ url: '/metrics' })).body;
  });
  afterAll(() => setting.close());

  it('are those of a scrape and those that only several workers have, neither more nor fewer', async () => {
    const ofWorkers = await new WorkersMetrics(() => []).text();
    const scraped = [...`${text}\n${ofWorkers}`.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string);
    expect(scraped.filter((name) => !ofLibrary.test(name)).sort()).toEqual([...documented.keys()].sort());
    expect(page).toContain('The metrics `process_…` and `nodejs_…`');
  });

  it('have the labels that a scrape shows', () => {
    for (const [name, labels] of documented) {
      const [, given] = new RegExp(`^${name}(?:_count)?\\{(.*)\\} `, 'm').exec(text) ?? [];
      if (given === undefined) continue;
      expect([name, [...given.matchAll(/(\w+)="/g)].map(([, label]) => label as string).sort()]).toEqual([
        name,
        labels,
      ]);
    }
  });
});
