import { expect, it } from '@jest/globals';
import { runDocumented } from './documented-commands.js';
import { patienceMs } from './gateway-process.js';

it(
  'the first questions of an operator are answered by the running stack',
  async () => {
    const said = await runDocumented('operators-questions', { before: ['npm start'] });
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
