// Nightly: it types the commands of the bank engineers' walks, which takes minutes.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clausesOf } from '../../packages/adapter-kit/adapter-kit.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { ownRepository } from '../adapter-tools/own-repository.js';
import { postgresServer } from '../cores/sql/test-server.js';
import { filesOfWalk } from '../feed/files-of-walk.js';
import { taggedBlocks } from '../support/documents.js';
import { runDocumented } from './documented-commands.js';
import { patienceMs } from './gateway-process.js';

const judged = /^[✓✗–] CORE-\d\d/gm;

describe('the walk of a core over HTTP', () => {
  let parent: string;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'http-walk-'));
    await ownRepository('polder', join(parent, 'installed'));
  }, 5 * patienceMs);
  afterAll(() => rm(parent, { recursive: true }));

  it(
    'leads from the template to an adapter that keeps every clause and serves the core',
    async () => {
      const said = await runDocumented('walk-http', {
        morePorts: ['8080'],
        edit: (commands) =>
          commands
            // No test needs a registry.
            .replace(/^npm install$/m, `cp -R ${parent}/installed/node_modules .`)
            .replace(/^npm run check$/m, 'npm run check && exit 1 || echo "the template was refused"'),
      });
      const [template = '', finished = ''] = said.split('the template was refused\n');
      expect(template).toContain('✗ CORE-03');
      expect(template.match(judged)).toHaveLength(clausesOf('http').length);
      expect(finished).not.toContain('✗');
      expect(finished.match(judged)).toHaveLength(clausesOf('http').length);
      expect(finished).toMatch(/^ {2}bedrag = "4[.]00"$/m);
      expect(finished).toMatch(/^ {2}Amount[.]Amount = "4[.]00"$/m);
      expect(finished).toContain('"Amount": "1234567.89"');
      expect(finished).toMatch(/^account-information-core-adapter-[0-9.]+[.]tgz$/m);
    },
    20 * patienceMs,
  );

  it(
    'leads to the commands that show the core’s own accounts',
    async () => {
      const before = [
        'gateway=$PWD',
        'npm run --silent adapter -- new polder --into ../polder',
        'cd ../polder',
        `cp -R ${parent}/installed/node_modules .`,
        'cp "$gateway"/docs/bank/walks/polder/{core.mjs,profile.json} .',
        'cp "$gateway"/docs/bank/walks/polder/src/*.ts src/',
        'npm run build',
        'cd "$gateway"',
        'node ../polder/core.mjs 8080 & core=$!',
      ];
      expect(await runDocumented('own-accounts', { before, after: ['kill $core'], morePorts: ['8080'] })).toContain(
        '"Amount": "1234567.89"',
      );
    },
    20 * patienceMs,
  );
});

it(
  'the walk of a core that delivers files takes deliveries, refuses a repeated one and serves them',
  async () => {
    const said = await runDocumented('walk-files', {
      before: filesOfWalk.map(
        ({ name, text }) => `mkdir -p "$(dirname ${name})" && cat > ${name} <<'END'\n${text}END\n`,
      ),
      // The second command is refused, as the walk says.
      edit: (commands) => commands.replace(/(feed load --delivery delivery)\n+(?=echo)/, '$1 && exit 1 || true\n'),
    });
    expect(said).toContain('Refused (repeated)');
    expect(said).toMatch(/^Taken: night-2026-11-20, /m);
    expect(said).toMatch(/^Taken: night-2, .* 3 transactions/m);
    expect(said).toMatch(/^✓ CORE-76 /m);
    expect(said).toMatch(/^ {2}amount[.]minorUnits = 9350$/m);
    expect(said).toContain('"Amount": "93.50"');
  },
  10 * patienceMs,
);

describe('the walk of a core with a database', () => {
  it.each([
    ['walk-sql-file', 'bank.yaml'],
    ['walk-sql-examples', 'bank.examples.yaml'],
  ])('shows a part of the bank’s file: %s', async (tag, name) => {
    const text = await readFile(join(packageRoot(), 'test/cores/sql', name), 'utf8');
    for (const part of taggedBlocks(tag))
      for (const line of part.trim().split('\n')) expect(text).toContain(`${line}\n`);
  });

  it(
    'leads from views to an adapter that keeps every clause and serves the core',
    async () => {
      const said = await runDocumented('walk-sql', { env: { DATABASE_URL: await postgresServer() } });
      expect(said).toContain('✓ CORE-63');
      expect(said).not.toContain('✗');
      expect(said).toMatch(/amount[.]minorUnits = 123456$/m);
      expect(said).toContain('"Amount": "1234.56"');
    },
    20 * patienceMs,
  );
});

it(
  'the walk of several cores shows the accounts of both',
  async () => {
    const said = await runDocumented('walk-several-cores', { morePorts: ['3012', '3022'] });
    expect(said.replaceAll(/\n+/g, '\n')).toContain(`2\n${taggedBlocks('walk-several-cores-printed').join('')}`);
  },
  10 * patienceMs,
);
