import { readFile } from 'node:fs/promises';
import { Agent } from 'undici';
import { approveAtBank } from '../../sandbox/actions/customer.js';
import { bankEndpoint, openBank } from '../../sandbox/actions/registration.js';
import type { BankClient } from '../../sandbox/clients/bank.client.js';
import { listIn, textAt } from '../../sandbox/clients/exchange.js';
import { Stack } from '../../sandbox/clients/stack.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { type Asked, readOver, runRequests } from './load.js';
import { fillConsents, type GivenByJourney } from './many-consents.js';
import { type RunningGateway, type Setting, transactionsOf } from './setting.js';

/** The six reads of one consent. */
export type Burst = readonly Asked[];

/** A gateway with its own authorization server, on a database with many consents. */
export interface FilledGateway {
  readonly gateway: RunningGateway;
  readonly databaseUrl: string;
  readonly agent: Agent;
  readonly bank: BankClient;
  /** Consents of the TPP, spread over all. */
  readonly usable: readonly GivenByJourney[];
}

const permissions = ['ReadAccountsDetail', 'ReadBalances', 'ReadTransactionsDetail', 'ReadTransactionsCredits'].concat([
  'ReadTransactionsDebits',
  'ReadParty',
]);
/** Enough that the TPP never waits for one, as long as the answers come. */
const tppConnections = 256;

/** @param count of consents, `usable` of which the TPP of the bench can read */
export async function filledGateway(setting: Setting, count: number, usable: number): Promise<FilledGateway> {
  const gateway = await setting.gateway({ embedded: true });
  const databaseUrl = gateway.environment.DATABASE_URL ?? '';
  const { authorityFile, tpp } = setting.pki;
  const [ca, cert, key] = await Promise.all(
    [authorityFile, tpp.certificateFile, tpp.keyFile].map((file) => readFile(file)),
  );
  const agent = new Agent({ connect: { ca, cert, key } as object, connections: tppConnections });
  setting.atEnd(() => agent.destroy());
  const config = readSandboxConfig(gateway.environment);
  const stack = new Stack(config);
  const bank = (await openBank(stack)).in('v3.1');
  setting.atEnd(() => bank.close());
  const base = `${bankEndpoint(config).tppUrl}${v3_1.basePath}/accounts`;
  const given: GivenByJourney[] = [];
  for (const persona of await setting.personas()) {
    if (persona.accounts.length === 0) continue;
    const { access } = await approveAtBank(stack, bank, persona, await bank.createConsent({ permissions }));
    const { json } = await bank.read('/accounts', access);
    for (const account of listIn(json, 'Account')) {
      const urls = readsOf(base, textAt(account, 'AccountId') ?? '');
      const answers = await Promise.all(urls.map((url) => readOver(agent, { url, token: access.accessToken })));
      if (!answers.includes(false)) given.push({ access, urls });
    }
  }
  const beganMs = performance.now();
  const filled = await fillConsents(databaseUrl, given, count, usable);
  const seconds = ((performance.now() - beganMs) / 1_000).toFixed(0);
  console.log(`${count.toLocaleString('en')} consents: filled in ${seconds} s`);
  return { gateway, databaseUrl, agent, bank, usable: filled };
}

function readsOf(base: string, accountId: string): string[] {
  const one = `${base}/${accountId}`;
  const pages = transactionsOf({ base: one, token: '' }, 5, 2).map(({ url }) => url);
  return [base, one, `${one}/balances`, ...pages, `${one}/party`];
}

/** The reads of a consent with a token that is refreshed now. */
export async function refreshed({ bank }: FilledGateway, { access, urls }: GivenByJourney): Promise<Burst> {
  const { accessToken: token } = await bank.refresh(access);
  return urls.map((url) => ({ url, token }));
}

/** A burst for each consent, 32 refreshes at a time. */
export async function refreshedBursts(filled: FilledGateway, consents: readonly GivenByJourney[]): Promise<Burst[]> {
  const [bursts, left]: [Burst[], GivenByJourney[]] = [[], [...consents]];
  await runRequests(32, () => {
    const next = left.pop();
    return next && refreshed(filled, next).then((burst) => bursts.push(burst) > 0);
  });
  return bursts;
}
