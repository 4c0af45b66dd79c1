import { afterEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/persistence/package-root.js';
import { SystemClock } from '../../src/clock/clock.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { writeWalk } from '../feed/files-of-walk.js';
import { GatewayClient } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';

const run = promisify(execFile);
const profile = join(import.meta.dirname, '../cores/sql/profile.json');

describe('a gateway in front of delivered files', () => {
  const endings: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  it(
    'serves the accounts of a delivery to a TPP, after `npm run ops -- feed` has loaded it',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'feed-core-'));
      endings.push(() => rmSync(folder, { recursive: true }));
      const core = writeWalk(folder);
      const delivery = join(folder, 'delivery', 'delivery.yaml');
      const asOf = new Date(new SystemClock().nowMs() - 60_000).toISOString();
      writeFileSync(delivery, readFileSync(delivery, 'utf8').replace(/^asOf: .*$/m, `asOf: ${asOf}`));
      const bank = await startBank();
      const clientOf = (to: GatewayProcess) => new GatewayClient(to, bank);
      endings.push(() => bank.close());
      const settings = { ...core, DATA_DIR: join(folder, 'data'), PROFILE: profile };
      const environment = environmentOf(bank, await freePorts(), settings);

      const load = ['run', '--silent', 'ops', '--', 'feed', 'load', '--delivery', join(folder, 'delivery')];
      const { stdout } = await run('npm', load, { cwd: packageRoot(), env: environment });
      expect(stdout).toContain(`Taken: night-2026-11-20, as of ${asOf}: 2 accounts`);

      const gateway = await GatewayProcess.start(environment);
      endings.push(() => gateway.kill());
      const consent = await clientOf(gateway).ask();
      await clientOf(gateway).authorise(consent, { customerRef: 'C1', accounts: ['A1'] });
      const answer = await fetch(`http://127.0.0.1:${gateway.ports.port}${v3_1.basePath}/accounts`, {
        headers: { authorization: `Bearer ${consent.token}` },
      });
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { Data: { Account: [{ Currency: 'GBP', AccountType: 'Personal', AccountSubType: 'CurrentAccount' }] } },
      ]);
      expect(await gateway.stop()).toBe(0);
    },
    5 * patienceMs,
  );
});
