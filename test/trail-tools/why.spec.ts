import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { trailCommand } from './trail-command.js';
import { request, WrittenTrail } from './written-trail.js';

const [one, other] = ['gateway-1-11111111', 'gateway-2-22222222'];
const closedWindow = request('id-window', '2026-11-24T14:03:03.000Z', {
  ...{ endpoint: 'direct-debits', status: 403, bytes: 300, core: undefined, coreMs: undefined, rows: undefined },
  ...{ product: undefined, error: 'reauthentication', refusedBy: 'authentication window', reason: 'window-closed' },
  saw: { authenticationAgeS: 1_350, windowS: 300 },
});

describe('trail why', () => {
  let trail: WrittenTrail;
  beforeEach(async () => {
    trail = await WrittenTrail.make();
  });
  afterEach(() => trail.remove());
  const why = (...words: string[]) => trailCommand('why', ...words, '--trail', trail.folder);

  it('explains a refusal: the request, each check with its facts, the reason, and the way through', async () => {
    await trail.close('2026-11-24T14:00:00.000Z', one, [request('id-other', '2026-11-24T14:01:00.000Z'), closedWindow]);
    const { code, text } = await why('id-window');
    expect(text).toBe(
      [
        'At 2026-11-24 14:03:03Z the TPP copper-budget of the issuer https://issuer.example asked GET direct-debits (v3.1), under the consent aac-1, with the customer present.',
        'The gateway answered 403 after 41 ms: the check “authentication window” refused it (error reauthentication).',
        '  + host: passed',
        '  + token: passed',
        '  + rate limit: passed',
        '  + path: passed',
        '  + method: passed',
        '  + live consent: passed',
        '  + headers: passed',
        '  + body: passed',
        '  + scope: passed',
        '  + permission: passed',
        '  + account: passed',
        '  + query: passed',
        '  x authentication window: refused (the customer authenticated 22 min 30 s before, at 2026-11-24 13:40:33Z; the window is 5 min)',
        '  - unattended access: not reached',
        '  - access state: not reached',
        'Reason window-closed: The customer’s last authentication was longer ago than the authentication window.',
        'Remedy: The customer authenticates again for the same consent.',
        'It would have passed with an authentication of the customer after 2026-11-24 13:58:03Z.',
        'The core was not asked.',
        'Written by gateway-1-11111111.',
      ].join('\n'),
    );
    expect(code).toBe(0);
  });
});
