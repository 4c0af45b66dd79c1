import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pseudonymOfCustomer } from '../../src/trail/pseudonyms.js';
import { opsCommands, taggedBlocks } from '../support/documents.js';
import { trailCommand } from '../support/ops-command.js';
import { pseudonymKey, request, trailSecret, WrittenTrail } from '../support/written-trail.js';

const commands = opsCommands('questions', 'trail');
const answers: readonly (readonly [RegExp, string])[] = [
  [/^why /, 'the check “permission” refused it'],
  [/^tpp /, 'permission-missing'],
  [/^export /, 'minute.csv: 1 event'],
  [/^customer /, 'copper-budget (https://issuer.example), balances, under aac-1: 1 answer'],
  [/^load /, 'copper-budget'],
  [/^verify/, 'have not changed since they were written. They are covered by 32 roots.'],
  [/^key$/, ''],
  [/^prove /, '"publicKey"'],
];

/** In the folder of a gateway whose trail answers them. */
describe('the documented questions to the trail', () => {
  const home = process.cwd();
  let trail: WrittenTrail;
  let folder: string;
  beforeAll(async () => {
    trail = await WrittenTrail.make();
    const customer = pseudonymOfCustomer(pseudonymKey, 'C1001');
    await trail.close('2026-10-05T14:00:00.000Z', 'gateway-1-11111111', [
      request('r-1', '2026-10-05T14:01:00.000Z', { customer }),
    ]);
    for (let day = 1; day <= 31; day += 1)
      if (day !== 5)
        await trail.close(`2026-10-${String(day).padStart(2, '0')}T14:00:00.000Z`, 'gateway-1-11111111', []);
    await trail.close('2026-11-24T14:00:00.000Z', 'gateway-1-11111111', [
      request('93bac548-d2de-4546-b106-880a50180001', '2026-11-24T14:03:03.000Z', {
        status: 403,
        error: 'permission-missing',
        refusedBy: 'permission',
        reason: 'permission-missing',
        customer,
        core: undefined,
      }),
    ]);
    folder = await mkdtemp(join(tmpdir(), 'questions-'));
    process.chdir(folder);
    Object.assign(process.env, { TRAIL_DIR: trail.folder, TRAIL_KEY: trailSecret, PSEUDONYM_KEY: pseudonymKey });
  });
  afterAll(async () => {
    process.chdir(home);
    for (const name of ['TRAIL_DIR', 'TRAIL_KEY', 'PSEUDONYM_KEY']) delete process.env[name];
    await trail.remove();
    await rm(folder, { recursive: true });
  });

  it('are all there', () => {
    expect(commands.map((command) => answers.findIndex(([form]) => form.test(command)))).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ]);
  });

  it.each(commands)('npm run ops -- trail %s', async (command) => {
    const words = command.replace(/ > .*$/, '').split(' ');
    const { code, text } = await trailCommand(...words);
    const [, answer = ''] = answers.find(([form]) => form.test(command)) ?? [];
    expect([code, text]).toEqual([0, expect.stringContaining(answer)]);
  });

  it('are proven by the command that an auditor runs', async () => {
    const [command = ''] =
      taggedBlocks('questions')
        .join('')
        .match(/^node ops\/verify-proof.*$/m) ?? [];
    const { text: publicKey } = await trailCommand('key');
    await writeFile('proof.json', (await trailCommand('prove', '93bac548-d2de-4546-b106-880a50180001')).text);
    const words = command.replace('PUBLIC_KEY', publicKey).replace('ops/', join(home, 'ops/')).split(' ');
    const { status, stdout } = spawnSync(process.execPath, words.slice(1), { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringContaining('proven: event 2 of 2')]);
  });
});
