import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { request } from 'undici';
import { sandboxSortCode } from '../../sandbox/bank/numbers.js';
import { Stack } from '../../sandbox/clients/stack.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';
import { SystemClock } from '../../src/clock/clock.js';
import { v4_0 } from '../../src/versions/v4.0/v4.0.js';
import { freshSchema, loadAverage, type Bench } from './bench.js';
import { median, table } from './figures.js';
import { atMost } from './goals.js';
import { runRequests, type Round } from './load.js';
import { Setting, type RunningGateway } from './setting.js';

const debtor = { customer: 'C1007', account: 'A100701', number: `${sandboxSortCode}10010079` };
const scope = 'fundsconfirmations';

/** Checks of funds one after the other, and the same questions to the core: the difference is the gateway's own time. */
export const funds: Bench = async (run) => {
  const { quick, folder, undo } = run;
  const [rounds, checks] = quick ? [4, 200] : [8, 1_000];
  const setting = await Setting.start(folder);
  undo.push(() => setting.stop());
  const gateway = await setting.gateway((await freshSchema(run)) ?? { DATA_DIR: join(folder, 'pglite') });
  undo.push(() => gateway.server.stop());
  const { consentId, token } = await fundsConsent(gateway);

  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ofGateway = (): Promise<void> =>
    answered(`${gateway.url}${v4_0.fundsPath}/funds-confirmations`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        Data: {
          ConsentId: consentId,
          Reference: randomUUID().slice(0, 35),
          InstructedAmount: { Amount: '0.01', Currency: 'GBP' },
        },
      }),
    });
  const { customer, account } = debtor;
  const ofCore = (): Promise<void> =>
    answered(`${setting.coreUrl}/clients/${customer}/accts/${account}/funds?amt=1&ccy=GBP&arranged=N`, {
      method: 'GET',
    });

  await Promise.all([inSequence(checks, ofGateway), inSequence(checks, ofCore)]);
  const measured: { readonly gateway: Round; readonly core: Round }[] = [];
  for (let round = 0; round < rounds; round++)
    measured.push({ core: await inSequence(checks, ofCore), gateway: await inSequence(checks, ofGateway) });
  const figure = (from: 'gateway' | 'core', of: 'p50Ms' | 'p99Ms'): number =>
    median(measured.map((round) => round[from][of]));
  console.log(
    table(
      `${rounds} rounds of ${checks} checks, one after the other; load average ${loadAverage()}`,
      ['', 'p50 ms', 'p99 ms'],
      (['gateway', 'core'] as const).map((from) => [
        from,
        ...(['p50Ms', 'p99Ms'] as const).map((of) => figure(from, of).toFixed(2)),
      ]),
    ),
  );
  const own = median(measured.map((round) => round.gateway.p99Ms - round.core.p99Ms));
  return atMost('checks of funds: p99 above that of the core', own, 2, 'ms', 2);
};

/** A consent for confirmation of funds, given through the gateway's own ports, with its access token. */
async function fundsConsent({ environment }: RunningGateway): Promise<{ consentId: string; token: string }> {
  const clock = new SystemClock();
  const stack = new Stack(readSandboxConfig(environment), clock);
  const token = async (consentId?: string): Promise<string> => {
    const asked = { client_id: stack.clientId, scope, consent_id: consentId };
    return ((await stack.sandbox('POST', '/issuer/tokens', asked)) as { access_token: string }).access_token;
  };
  const DebtorAccount = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: debtor.number };
  const created = await stack.gateway('POST', `${v4_0.fundsPath}/funds-confirmation-consents`, await token(), {
    Data: { DebtorAccount },
  });
  const consentId = (created as { Data: { ConsentId: string } }).Data.ConsentId;
  await stack.bank('POST', `/consents/${consentId}/authorise`, {
    customerRef: debtor.customer,
    accounts: [debtor.account],
    authenticatedAt: new Date(clock.nowMs() - 1_000).toISOString(),
  });
  return { consentId, token: await token(consentId) };
}

function inSequence(count: number, ask: () => Promise<void>): Promise<Round> {
  let begun = 0;
  return runRequests(1, () => (begun++ < count ? ask() : undefined));
}

async function answered(url: string, options: Parameters<typeof request>[1]): Promise<void> {
  const { statusCode, body } = await request(url, options);
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${url} answered ${statusCode}: ${text}`);
}
