import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JourneyResult } from '../../sandbox/actions/journey.js';
import { approve, dashboardUrl, type SignInDetails, signInAtDashboard } from '../../sandbox/actions/customer.js';
import { describePersona } from '../../sandbox/bank/staff-paths.js';
import type { Persona } from '../../sandbox/bank/personas/persona.js';
import type { Stack as RunningStack } from '../../sandbox/clients/stack.js';
import { versionNames, type VersionName } from '../../src/versions/versions.js';
import { realNowMs } from '../support/real-time.js';
import { sandboxCommand } from '../support/sandbox-command.js';
import { minuteMs } from '../support/stack.js';
import { TppSetting } from './tpp-setting.js';

/** A browser at Moneyview's pages. */
async function visitor({ endpoint }: TppSetting) {
  const { origin } = new URL(endpoint.redirectUri);
  const first = await fetch(origin);
  const headers = { origin, cookie: first.headers.getSetCookie().join().split(';', 1).join() };
  const page = async (url: string): Promise<string> =>
    (await (await fetch(new URL(url, origin), { headers })).text()).replace(/\s+/g, ' ');
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(await page('/')) ?? [];
  /** @returns the address to which the answer leads */
  const send = async (path: string, fields: Readonly<Record<string, string>>, more: [string, string][] = []) => {
    const body = new URLSearchParams([['csrf', csrf], ...Object.entries(fields), ...more]);
    const answer = await fetch(origin + path, { method: 'POST', body, headers, redirect: 'manual' });
    return new URL(answer.headers.get('location') ?? '', origin);
  };
  return { origin, headers, page, send };
}

/** Withdraws the customer's latest access. */
async function withdrawInDashboard(running: RunningStack, customer: SignInDetails): Promise<void> {
  const lines = await signInAtDashboard(running, customer);
  const cookie = lines.map((line) => line.split(';', 1).join()).join('; ');
  const dashboard = new URL(dashboardUrl(running));
  const page = async (url: URL, body?: URLSearchParams): Promise<string> => {
    const headers = { cookie, origin: dashboard.origin };
    return (await fetch(url, { headers, ...(body && { method: 'POST', body }) })).text();
  };
  const [, step = ''] = /href="([^"]*\/withdraw\/[^"]+)"/.exec(await page(dashboard)) ?? [];
  const url = new URL(step, dashboard);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(await page(url)) ?? [];
  await page(url, new URLSearchParams({ csrf, decision: 'continue' }));
}

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
      const { clock } = setting;
      const { origin, headers, page, send } = await visitor(setting);
      const sent = await send('/connect', { api }, [
        ['see', 'payments'],
        ['see', 'you'],
      ]);
      const { back } = await approve(setting.running, sent, setting.endpoint.redirectUri, describePersona(persona));
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

  it.each([...served])('the page asks in the version %s about funds until the customer withdraws', async (api) => {
    const { origin, headers, page, send } = await visitor(setting);
    const { sort = '', num = '' } = persona.accounts[0]?.acct ?? {};
    const customer = describePersona(persona);
    const sent = await send('/funds/connect', { api, sort, number: num });
    const { back } = await approve(setting.running, sent, setting.endpoint.redirectUri, customer);
    expect(await page(back.href)).toContain('Moneyview may now ask');
    const answerTo = async (amount: string): Promise<string> => {
      await send('/funds/check', { amount });
      return page('/funds');
    };
    const enough = await answerTo('25.00');
    expect(enough).toMatch(/role="status"> <p class="figure">Yes<.*You can spend £25\.00, as of /);
    expect(enough).toMatch(new RegExp(`POST \\S+/open-banking/${api}/cbpii/funds-confirmations.*FundsAvailable.*true`));
    expect(await answerTo('999999.00')).toMatch(/>No<.*You cannot spend £999,999\.00, as of /);
    expect(await answerTo('a lot')).not.toMatch(/>(Yes|No)</);

    const withdrawn = fetch(`${origin}/withdrawal`, { headers });
    await page('/funds');
    await withdrawInDashboard(setting.running, customer);
    expect((await withdrawn).status).toBe(205);
    expect(await page('/funds')).toMatch(/The access has ended: it was withdrawn at the bank.*Go to the bank</);
  });
});
