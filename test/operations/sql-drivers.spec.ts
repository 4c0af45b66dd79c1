import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';

/** A driver of Oracle that finds no database. */
const fakeDriver = `module.exports = { getConnection: () => Promise.reject(Object.assign(new Error(), { code: 'NJS-503' })) };`;

describe('the built gateway, as it stands in the image,', () => {
  const image = mkdtempSync(join(tmpdir(), 'sql-drivers-'));
  let bank: SandboxBank;

  beforeAll(async () => {
    bank = await startBank();
    cpSync(join(packageRoot(), 'dist/gateway'), join(image, 'dist/gateway'), { recursive: true });
    for (const name of ['package.json', 'node_modules', 'prisma', 'dist/pglite'])
      symlinkSync(join(packageRoot(), name), join(image, name));
  }, 5 * patienceMs);
  afterAll(async () => {
    await bank.close();
    rmSync(image, { recursive: true });
  });

  const start = async (url: string): Promise<GatewayProcess> => {
    const environment = environmentOf(bank, await freePorts(), {
      DATA_DIR: mkdtempSync(join(image, 'data-')),
      CORE: 'sql',
      CORE_URL: url,
      CORE_USERNAME: 'reader',
      CORE_PASSWORD: 'only-for-this-test',
      CORE_SQL_FILE: join(packageRoot(), 'test/cores/sql/bank.yaml'),
      PROFILE: join(packageRoot(), 'test/cores/sql/profile.json'),
    });
    const command = [process.execPath, join(image, 'dist/gateway/main.js')] as const;
    return GatewayProcess.start(environment, { command, until: 'live' });
  };

  it.each([
    ['sqlserver://127.0.0.1:1/core', 'sqlserver, whose driver tedious is not installed: npm install tedious@19'],
    ['oracle://127.0.0.1:1/CORE', 'oracle, whose driver oracledb is not installed: npm install oracledb@26'],
  ])(
    'does not start with %s while its driver is missing, and says so in one line',
    async (url, line) => {
      await expect(start(url)).rejects.toThrow(`settings of the core "sql": CORE_URL names ${line}\n`);
    },
    2 * patienceMs,
  );

  it(
    'loads a driver that an image adds in dist/node_modules',
    async () => {
      const folder = join(image, 'dist/node_modules/oracledb');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'index.js'), fakeDriver);
      await expect(start('oracle://127.0.0.1:1/CORE')).rejects.toThrow(
        'the core "northern-core" does not answer at oracle://127.0.0.1:1/CORE',
      );
    },
    2 * patienceMs,
  );
});
