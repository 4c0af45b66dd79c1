// Nightly: it types the commands of a page, which takes minutes.
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { postgresServer } from '../cores/sql/test-server.js';
import { patienceMs } from './gateway-process.js';
import { runWalk, Walk } from './walk-shell.js';

const walk = new Walk('walks/sql');
const [ofFile = '', ofExamples = ''] = walk.blocks('yaml');

describe('docs/bank/walks/sql.md', () => {
  it.each([
    ['file', ofFile, 'bank.yaml'],
    ['examples', ofExamples, 'bank.examples.yaml'],
  ])('shows a part of the bank’s %s', (_, part, name) => {
    const text = readFileSync(join(packageRoot(), 'test/cores/sql', name), 'utf8');
    for (const line of part.trim().split('\n')) expect(text).toContain(`${line}\n`);
  });

  it(
    'has commands that do as it says, one after the other',
    async () => {
      const { code, said, faults } = await runWalk(walk.blocks('sh'), {
        env: { DATABASE_URL: await postgresServer() },
      });
      expect([code, code === 0 ? '' : `${faults}\n${said}`]).toEqual([0, '']);
      expect(said).toContain('✓ CORE-63');
      expect(said).not.toContain('✗');
      expect(said).toMatch(/amount[.]minorUnits = 123456$/m);
      expect(said).toContain('"Amount": "1234.56"');
    },
    20 * patienceMs,
  );
});
