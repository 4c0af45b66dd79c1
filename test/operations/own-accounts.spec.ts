import { beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageRoot } from '../../src/persistence/package-root.js';
import { buildGateway, patienceMs } from './gateway-process.js';
import { runWalk, Walk } from './walk-shell.js';

const polder = join(packageRoot(), 'docs/walks/polder');

/** The adapter of the walk as one file, with the port in it. */
async function compiled(file: string): Promise<void> {
  const bundle = await rolldown({
    input: join(polder, 'src/polder.adapter.ts'),
    platform: 'node',
    logLevel: 'silent',
    resolve: {
      alias: { 'account-information-core-adapter': join(packageRoot(), 'packages/core-adapter/published-port.ts') },
    },
  });
  await bundle.write({ file });
}

describe('docs/adding-a-core.md', () => {
  beforeAll(() => buildGateway(), 5 * patienceMs);

  it(
    'starts the whole stack in front of a bank’s core by its commands, and shows the customer’s accounts',
    async () => {
      const parent = await mkdtemp(join(tmpdir(), 'own-accounts-'));
      try {
        await compiled(join(parent, 'my-core.adapter.js'));
        const bank = [
          'mkdir -p ../my-core/dist',
          `cp ${parent}/my-core.adapter.js ../my-core/dist`,
          `echo '{"type":"module"}' > ../my-core/package.json`,
          `node ${polder}/core.mjs 8080 & core=$!`,
          `export CORE_KEY=sleutel-1 PROFILE=${polder}/profile.json`,
        ];
        const commands = new Walk('adding-a-core').blocks('sh');
        expect(commands.filter((block) => /^npm start$/m.test(block))).toHaveLength(1);
        const { code, said, faults } = await runWalk([...bank, ...commands, 'kill $core'], { morePorts: ['8080'] });
        expect([code, code === 0 ? '' : `${faults}\n${said}`]).toEqual([0, '']);
        expect(said).toContain('"AccessToken"');
        expect(said).toContain('"Amount": "1234567.89"');
      } finally {
        await rm(parent, { recursive: true });
      }
    },
    10 * patienceMs,
  );
});
