import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';

const root = packageRoot();
const [, listed = ''] = readFileSync(join(root, 'SECURITY.md'), 'utf8').split('# Security\n');
/** The lines of each list entry, in any form. */
const entries = listed
  .split(/^(?=- )/m)
  .slice(1)
  .map((entry) => entry.split(/\n\n/, 1).join().trimEnd().split('\n'));

const lineOfTests = /^ {2}`[\w./-]+\.spec\.ts`(?:, `[\w./-]+\.spec\.ts`)*$/;

describe('SECURITY.md', () => {
  it('has an entry for every threat', () => {
    // If the form of the entries changed, the tests below would check none.
    expect(entries.length).toBeGreaterThan(50);
  });

  it.each(entries.map((lines) => [lines[0]?.replace(/^- \*\*|\*\*\\$/g, ''), lines] as const))(
    'gives threat, answer and test for "%s", the answer in at most two lines',
    (_threat, lines) => {
      const [threat, ...answer] = lines;
      const tests = answer.pop() ?? '';
      expect(threat).toMatch(/^- \*\*[^*]+\*\*\\$/);
      expect(tests).toMatch(lineOfTests);
      expect([answer.length, answer.at(-1)?.endsWith('\\')]).toEqual([answer.length > 1 ? 2 : 1, true]);
      expect(answer.filter((line) => line.length > 121)).toEqual([]);
      const named = [...tests.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
      expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    },
  );
});
