import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JourneyResult } from '../../sandbox/actions/journey.js';
import { approve } from '../../sandbox/actions/customer.js';
import { describePersona } from '../../sandbox/bank/staff-paths.js';
import type { Persona } from '../../sandbox/bank/personas/persona.js';
import { versionNames, type VersionName } from '../../src/versions/versions.js';
import { realNowMs } from '../support/real-time.js';
import { sandboxCommand } from '../support/sandbox-command.js';
import { minuteMs } from '../support/stack.js';
import { TppSetting } from './tpp-setting.js';

describe.each<{ served: readonly VersionName[] }>([
  { served: ['v3.1'] },
  { served: ['v4.0'] },
  { served: ['v3.1', 'v4.0'] },
])('with a profile that serves $served', ({ served }) => {
  let setting: TppSetting;
  let persona: Persona;
  beforeAll(async () => {
    setting = await TppSetting.start(served);
    persona = setting.bank.personas.find(({ name }) => name === 'complete') as Persona;
  });
  // The library's clock is the machine's.
  afterEach(() => setting.clock.set(realNowMs()));
  afterAll(() => setting.close());

  it.each([
    { title: 'without --api', words: [], version: served.at(-1) },
    ...served.map((version) => ({ title: `with --api ${version}`, words: ['--api', version], version })),
  ])('the journey $title reads $version', async ({ words, version }) => {
    const { json } = await sandboxCommand(['journey', '--persona', 'complete', ...words], setting.running);
    const [account] = (json as JourneyResult).Accounts;
    expect(account).toHaveProperty(version === 'v4.0' ? 'AccountTypeCode' : 'AccountSubType');
  });

  it('no journey begins in a version that the bank does not serve', async () => {
    for (const api of versionNames.filter((name) => !served.includes(name)))
      await expect(sandboxCommand(['journey', '--persona', 'complete', '--api', api], setting.running)).rejects.toThrow(
        `the bank does not serve ${api}: take ${served.join(' or ')}`,
      );
  });

  it.each([...served])(
    'the page in the version %s shows the accounts until the bank reports a withdrawal',
    async (api) => {
      const { endpoint, running, clock } = setting;
      const { origin } = new URL(endpoint.redirectUri);
      const first = await fetch(origin);
      const headers = { origin, cookie: first.headers.getSetCookie().join().split(';', 1).join() };
      const page = async (url: string): Promise<string> =>
        (await (await fetch(new URL(url, origin), { headers })).text()).replace(/\s+/g, ' ');
      const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(await page('/')) ?? [];
      const asked = new URLSearchParams([
        ['csrf', csrf],
        ['api', api],
        ['see', 'payments'],
        ['see', 'you'],
      ]);
      const sent = await fetch(`${origin}/connect`, { method: 'POST', body: asked, headers, redirect: 'manual' });
      const bank = new URL(sent.headers.get('location') ?? '');
      const { back } = await approve(running, bank, endpoint.redirectUri, describePersona(persona));
      await page(back.href);
      const home = await page('/');
      expect(home).toContain(`/open-banking/${api}/aisp/accounts`);
      expect(home).toMatch(/(Credit card|Card), xxxxxxxxxxxx7897<.*>Balance<.*>−£612\.44<.*>Available</);
      const [, account = ''] = /href="(\/accounts\/[^/]+)\/balances"/.exec(home) ?? [];
      expect(await page(`${account}/standing-orders`)).toMatch(/<dt>Frequency<\/dt> <dd>Every month, on day \d+<\/dd>/);
      clock.advance(5 * minuteMs);
      expect(await page(`${account}/party`)).toContain('Reauthentication: the bank wants to know again');

      const { json } = await setting.stack.report(`/customers/${describePersona(persona).customerRef}/consents`);
      const consents = json.Consents as readonly { readonly ConsentId: string; readonly Status: string }[];
      const consent = consents.find(({ Status }) => Status === 'authorised');
      const withdrawn = fetch(`${origin}/withdrawal`, { headers });
      await page('/');
      await setting.stack.report(`/consents/${consent?.ConsentId}/revoke`, {});
      expect((await withdrawn).status).toBe(205);
      expect(await page('/')).toContain('The access has ended: it was withdrawn at the bank');
    },
  );
});
