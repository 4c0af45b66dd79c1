import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { postAsTpp, token } from '../../sandbox/actions/consent.js';
import { sandboxSortCode } from '../../sandbox/bank/numbers.js';
import { Stack } from '../../sandbox/clients/stack.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';
import { SystemClock } from '../../src/clock/clock.js';
import { v4_0 } from '../../src/versions/v4.0/v4.0.js';
import { atMost, median } from './figures.js';
import { runRequests, type Round } from './load.js';
import type { Bench, RunningGateway } from './setting.js';

const debtor = { customer: 'C1007', account: 'A100701', number: `${sandboxSortCode}10010079` };
const scope = 'fundsconfirmations';

/** Checks of funds one after the other, and the same questions to the core: the difference is the gateway's own time. */
export const funds: Bench = async (setting, quick) => {
  // V8 compiles the gateway's code during some 20,000 checks, which takes a processor from the servers.
  const [rounds, checks, warmUp] = quick ? [4, 200, 200] : [8, 1_000, 20_000];
  const gateway = await setting.gateway();
  const { ConsentId, accessToken } = await fundsConsent(gateway);
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const InstructedAmount = { Amount: '0.01', Currency: 'GBP' };
  const ofGateway = (): Promise<boolean> => {
    const body = JSON.stringify({ Data: { ConsentId, Reference: randomUUID().slice(0, 35), InstructedAmount } });
    return answered(`${gateway.url}${v4_0.fundsPath}/funds-confirmations`, { method: 'POST', headers, body });
  };
  const path = `/clients/${debtor.customer}/accts/${debtor.account}/funds?amt=1&ccy=GBP&arranged=N`;
  const ofCore = (): Promise<boolean> => answered(setting.coreUrl + path);
  await Promise.all([inSequence(warmUp, ofGateway), inSequence(warmUp, ofCore)]);
  const ownMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const core = await inSequence(checks, ofCore);
    ownMs.push((await inSequence(checks, ofGateway)).p99Ms - core.p99Ms);
  }
  return [atMost('checks of funds: p99 above that of the core', median(ownMs), 2, 'ms', 2)];
};

/** A consent for confirmation of funds, given through the gateway's own ports, with its access token. */
async function fundsConsent({ environment }: RunningGateway): Promise<{ ConsentId: string; accessToken: string }> {
  const clock = new SystemClock();
  const stack = new Stack(readSandboxConfig(environment), clock);
  const DebtorAccount = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: debtor.number };
  const path = `${v4_0.fundsPath}/funds-confirmation-consents`;
  const { ConsentId } = await postAsTpp<{ ConsentId: string }>(stack, path, await token(stack, { scope }), {
    Data: { DebtorAccount },
  });
  await stack.bank('POST', `/consents/${ConsentId}/authorise`, {
    customerRef: debtor.customer,
    accounts: [debtor.account],
    authenticatedAt: new Date(clock.nowMs() - 1_000).toISOString(),
  });
  return { ConsentId, accessToken: await token(stack, { consentId: ConsentId, scope }) };
}

function inSequence(count: number, ask: () => Promise<boolean>): Promise<Round> {
  let begun = 0;
  return runRequests(1, () => (begun++ < count ? ask() : undefined));
}

async function answered(url: string, options?: Parameters<typeof request>[1]): Promise<boolean> {
  const { statusCode, body } = await request(url, options);
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${url} answered ${statusCode}: ${text}`);
  return true;
}
