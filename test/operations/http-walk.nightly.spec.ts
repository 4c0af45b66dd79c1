// Nightly: it types the commands of a page, which takes minutes.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clausesOf } from '../../packages/adapter-kit/adapter-kit.js';
import { ownRepository } from '../adapter-tools/own-repository.js';
import { patienceMs } from './gateway-process.js';
import { runWalk, Walk } from './walk-shell.js';

describe('docs/bank/walks/http.md', () => {
  let parent: string;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'http-walk-'));
    await ownRepository('polder', join(parent, 'installed'));
  }, 5 * patienceMs);
  afterAll(() => rm(parent, { recursive: true }));

  it(
    'has commands that do as it says, one after the other',
    async () => {
      // The last section's commands write into the gateway's repository: the tests of the tools run them, in a copy.
      const [outside = ''] = new Walk('walks/http').text.split('## Or in the gateway');
      const commands = new Walk('walks/http')
        .blocks('sh')
        .filter((block) => outside.includes(block))
        .join('\n')
        // No test needs a registry.
        .replace(/^npm install$/m, `cp -R ${parent}/installed/node_modules .`)
        .replace(/^npm run check$/m, 'npm run check && exit 1 || echo "the template was refused"');
      const { code, said, faults } = await runWalk([commands], { morePorts: ['8080'] });
      expect([code, code === 0 ? '' : `${faults}\n${said}`]).toEqual([0, '']);
      const [template = '', finished = ''] = said.split('the template was refused\n');
      const judged = /^[✓✗–] CORE-\d\d/gm;
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
    'leads to the section of docs/bank/adding-a-core.md whose commands show the core’s accounts',
    async () => {
      const guide = new Walk('adding-a-core');
      const section = guide.text.split('## See your own accounts')[1] ?? '';
      const shown = guide.blocks('sh').filter((block) => section.includes(block));
      const made = [
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
      const { code, said, faults } = await runWalk([...made, ...shown, 'kill $core'], { morePorts: ['8080'] });
      expect([code, code === 0 ? '' : `${faults}\n${said}`]).toEqual([0, '']);
      expect(said).toContain('"Amount": "1234567.89"');
    },
    20 * patienceMs,
  );
});
