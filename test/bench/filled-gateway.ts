import type { Agent } from 'undici';
import { readJwk } from '../../sandbox/pki/kept-pki.js';
import { freshSchema, type BenchRun } from './bench.js';
import type { Burst } from './bursts.js';
import { connections, runRequests } from './load.js';
import { fillConsents, type UsableConsent } from './many-consents.js';
import type { RunningGateway, Setting } from './setting.js';
import { TokenEndpoint } from './token-endpoint.js';
import { BenchTpp, clientTls, readOver, tlsAgent, type GivenByJourney } from './tpp.js';
import { gatewaySearch, windows } from './windows.js';

/** A gateway with its own authorization server, on a database with many consents. */
export interface FilledGateway {
  readonly gateway: RunningGateway;
  readonly databaseUrl: string;
  readonly consents: number;
  readonly agent: Agent;
  readonly tokens: TokenEndpoint;
  readonly usable: readonly UsableConsent[];
  /** The six reads of a usable consent. */
  readonly urlsOf: (consent: UsableConsent) => readonly string[];
  readonly fillSeconds: number;
}

/** @param count of consents, `usable` of which the TPP of the bench can read; `undefined` without PostgreSQL */
export async function filledGateway(
  run: BenchRun,
  setting: Setting,
  count: number,
  usable: number,
  atOnce = connections,
): Promise<FilledGateway | undefined> {
  const store = await freshSchema(run);
  if (store === undefined || !('DATABASE_URL' in store)) return undefined;
  const gateway = await setting.embeddedGateway(store);
  run.undo.push(() => gateway.server.stop());
  const agent = tlsAgent(await clientTls(setting.pki), atOnce);
  run.undo.push(() => agent.destroy());
  const tpp = await BenchTpp.open(gateway);
  run.undo.push(() => tpp.close());
  const given: (GivenByJourney & { readonly urls: readonly string[] })[] = [];
  for (const persona of (await setting.personas()).filter(({ accounts }) => accounts.length > 0)) {
    const one = await tpp.journey(persona);
    const urls = await readableUrls(agent, one);
    if (urls !== undefined) given.push({ ...one, urls });
  }
  if (given.length === 0) throw new Error('no account of the sandbox bank answers the six reads');
  const startedMs = performance.now();
  const made = await fillConsents(store.DATABASE_URL, given, count, usable);
  const fillSeconds = (performance.now() - startedMs) / 1_000;
  const signingKey = await readJwk(setting.pki.tppSigningKeyFile);
  const tokens = await TokenEndpoint.find(tpp.issuer, tpp.clientId, signingKey, agent);
  const urlsOf = ({ like }: UsableConsent): readonly string[] => given[like]?.urls ?? [];
  return {
    gateway,
    databaseUrl: store.DATABASE_URL,
    consents: count,
    agent,
    tokens,
    usable: made,
    urlsOf,
    fillSeconds,
  };
}

/** The six reads of a burst, of the first account for which all are answered. */
async function readableUrls(agent: Agent, { base, token, accountIds }: GivenByJourney): Promise<string[] | undefined> {
  const pages = windows.slice(0, 2).map((window) => `transactions?${gatewaySearch(window)}`);
  for (const accountId of accountIds) {
    const list = `${base}/accounts`;
    const one = `${list}/${accountId}`;
    const urls = [list, one, ...['balances', ...pages, 'party'].map((resource) => `${one}/${resource}`)];
    const answers = await Promise.all(urls.map((url) => readOver(agent, { url, token })));
    if (!answers.includes(undefined)) return urls;
  }
  return undefined;
}

/** A burst for each consent, with a token that is refreshed now. */
export async function refreshedBursts(
  { tokens, urlsOf }: FilledGateway,
  consents: readonly UsableConsent[],
): Promise<Burst[]> {
  const assertions = await tokens.assertions(consents.length);
  const bursts: Burst[] = [];
  const left = [...consents];
  await runRequests(connections, () => {
    const consent = left.pop();
    if (consent === undefined) return undefined;
    return tokens
      .refresh(assertions.pop() as string, consent.refreshToken)
      .then((token) => bursts.push({ token, urls: urlsOf(consent) }));
  });
  return bursts;
}
