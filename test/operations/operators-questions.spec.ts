import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { patienceMs } from './gateway-process.js';
import { runWalk } from './walk-shell.js';

const page = readFileSync(join(packageRoot(), 'docs/operate/first-five-minutes.md'), 'utf8');
const [, commands = ''] = /^## Ask$[^]*?^```sh\n([^]*?)^```$/m.exec(page) ?? [];

describe('docs/operate/first-five-minutes.md, "Ask"', () => {
  it(
    'answers the six questions from the running stack',
    async () => {
      const { code, said, faults } = await runWalk(['npm start', commands]);
      expect([code, code === 0 ? '' : `${faults}\n${said}`]).toEqual([0, '']);
      for (const answer of [
        /^The gateway answered 401 after /m,
        /^ {2}x token: refused$/m,
        /^Consents:\n {2}aac-\S+ of sandbox-tpp /m,
        /^sandbox-tpp +\d+ /m,
        /^uptime-percent +100 /m,
        /^Certificate +MTLS_CERT_FILE expires /m,
        /^Safe to restart now: yes$/m,
      ])
        expect(said).toMatch(answer);
    },
    20 * patienceMs,
  );
});
