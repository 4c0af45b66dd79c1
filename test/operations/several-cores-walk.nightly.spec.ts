// Nightly: it types the commands of a page, which takes minutes.
import { describe, expect, it } from '@jest/globals';
import { patienceMs } from './gateway-process.js';
import { runWalk, Walk } from './walk-shell.js';

const walk = new Walk('walks/several-cores');

describe('docs/bank/walks/several-cores.md', () => {
  it(
    'has commands that do as it says, one after the other',
    async () => {
      const { code, said, faults } = await runWalk(walk.blocks('sh'), { morePorts: ['3012', '3022'] });
      expect([code, code === 0 ? '' : `${faults}\n${said}`]).toEqual([0, '']);
      expect(said.replaceAll(/\n+/g, '\n')).toContain(`2\n${walk.blocks('').join('')}`);
    },
    10 * patienceMs,
  );
});
