// Nightly: it types the commands of a page, which takes minutes.
import { describe, expect, it } from '@jest/globals';
import { patienceMs } from './gateway-process.js';
import { runWalk, Walk } from './walk-shell.js';

const walk = new Walk('walks/files');

describe('docs/bank/walks/files.md', () => {
  it(
    'has files and commands that do as it says, one after the other',
    async () => {
      const files = [...walk.text.matchAll(/^`([\w./]+)`:\n\n```\w+\n([^]*?)```$/gm)].map(
        ([, name = '', text = '']) => `mkdir -p "$(dirname ${name})" && cat > ${name} <<'END'\n${text}END\n`,
      );
      const commands = walk
        .blocks('sh')
        .join('\n')
        // The second command of the walk is refused, as it says.
        .replace(/(feed load --delivery delivery)\n+(?=echo)/, '$1 && exit 1 || true\n');
      const { code, said, faults } = await runWalk([...files, commands]);
      expect([code, code === 0 ? '' : `${faults}\n${said}`]).toEqual([0, '']);
      expect(`${said}${faults}`).toContain('Refused (repeated)');
      expect(said).toMatch(/^Taken: night-2026-11-20, /m);
      expect(said).toMatch(/^Taken: night-2, .* 3 transactions/m);
      expect(said).toMatch(/^✓ CORE-76 /m);
      expect(said).toMatch(/^ {2}amount[.]minorUnits = 9350$/m);
      expect(said).toContain('"Amount": "93.50"');
    },
    10 * patienceMs,
  );
});
