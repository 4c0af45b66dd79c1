import { deepStrictEqual } from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import type { JWK } from 'jose';
import type { Agent } from 'undici';
import type { PersonaSummary } from '../../sandbox/actions/bank.js';
import { readJwk } from '../../sandbox/pki/kept-pki.js';
import { freshSchema, loadAverage, type Bench } from './bench.js';
import { knownMedian, median, notHere, table } from './figures.js';
import { atLeastRatio } from './goals.js';
import { connections, load, inTurn, runRequests, type Asked, type ClientTls, type Round } from './load.js';
import { Setting, type RunningGateway, type Store } from './setting.js';
import { BenchTpp, clientTls, readOver, tlsAgent, type Given } from './tpp.js';
import { TokenEndpoint } from './token-endpoint.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

/** Customers who use the bank's pages at the same time. */
const customersAtOnce = 8;

/** The embedded authorization server: whole journeys, its token endpoint, and the cost of a read in the same process. */
export const journeys: Bench = async (run) => {
  const { quick, folder, undo } = run;
  const [ownStore, otherStore] = [await freshSchema(run), await freshSchema(run)];
  if (ownStore === undefined || otherStore === undefined) {
    console.log('Left out: it is measured on PostgreSQL, on which an authorization server is run.');
    return [];
  }
  const setting = await Setting.start(folder);
  undo.push(() => setting.stop());
  const tls = await clientTls(setting.pki);
  const agent = tlsAgent(tls);
  undo.push(() => agent.destroy());
  const personas = (await setting.personas()).filter(({ accounts }) => accounts.length > 0);

  const without = await withoutServer(setting, otherStore, personas, tls);
  undo.push(() => without.gateway.server.stop());
  let gateway = await setting.embeddedGateway(ownStore);
  undo.push(() => gateway.server.stop());
  const tpp = await BenchTpp.open(gateway);
  undo.push(() => tpp.close());

  const readable = await readableBalances(without.given, agent);
  const customers = personas.filter(({ name }) => readable.some((one) => one.name === name));
  const given = new Map<string, Given>();
  for (const persona of customers) given.set(persona.name, await tpp.journey(persona));
  const whole = await measureJourneys(tpp, customers.slice(0, customersAtOnce), quick ? 4 : 12);
  const tokens = await measureTokens(tpp, await readJwk(setting.pki.tppSigningKeyFile), agent, quick);
  // Restarted, so that both compared gateways have served only reads.
  gateway = await setting.again(gateway);
  const asked = await sameReads(readable, given, agent);
  const reads = await measureReads(asked, { without: without.gateway, embedded: gateway }, tls, quick);
  console.log(`Load average after the rounds ${loadAverage()}.`);

  const medianOf = (rounds: readonly Round[], figure: 'perSecond' | 'p50Ms' | 'p99Ms', digits: number): string =>
    median(rounds.map((round) => round[figure])).toFixed(digits);
  const row = (name: string, rounds: readonly Round[], digits: number, cpuMs: readonly (number | undefined)[] = []) => [
    name,
    medianOf(rounds, 'perSecond', digits),
    medianOf(rounds, 'p50Ms', 2),
    medianOf(rounds, 'p99Ms', 2),
    String(rounds.reduce((sum, { answered }) => sum + answered, 0)),
    cpuMs.length === 0 ? '' : (knownMedian(cpuMs)?.toFixed(3) ?? notHere),
  ];
  console.log(
    table(
      'The embedded authorization server on PostgreSQL. The TPP and the browsers are this process, on the same processors.',
      ['', 'per second', 'p50 ms', 'p99 ms', 'in all', 'gateway CPU ms each'],
      [
        row(`journey, ${customersAtOnce} customers at once`, [whole], 1),
        row(`client-credentials token, ${connections} connections`, tokens, 0),
        row('balances, mutual TLS, bound token: no server', reads.without, 0, reads.cpuMs.without),
        row('balances, mutual TLS, bound token: embedded', reads.embedded, 0, reads.cpuMs.embedded),
      ],
    ),
  );
  const rates = (rounds: readonly Round[]): number[] => rounds.map(({ perSecond }) => perSecond);
  return [atLeastRatio('balances over mutual TLS, embedded / none', rates(reads.embedded), rates(reads.without), 0.9)];
};

/** The same customers' consents at a gateway without the server, with tokens of the sandbox's issuer. */
async function withoutServer(
  setting: Setting,
  store: Store,
  personas: readonly PersonaSummary[],
  { cert }: ClientTls,
): Promise<{ gateway: RunningGateway; given: ReadonlyMap<string, Given> }> {
  const thumbprint = createHash('sha256').update(new X509Certificate(cert).raw).digest('base64url');
  // Given over plain HTTP to a gateway that is stopped before the measured gateway starts on the same database.
  const plain = await setting.gateway(store);
  const consents = await Promise.all(
    personas.map(async ({ name }) => [name, await setting.consent(plain, name)] as const),
  ).finally(() => plain.server.stop());
  const gateway = await setting.tlsGateway(store);
  const given = new Map<string, Given>();
  for (const [name, { ConsentId, Accounts }] of consents) {
    const accountIds = Accounts.map(({ AccountId }) => AccountId);
    const token = await setting.token(ConsentId, thumbprint);
    given.set(name, { base: gateway.url + v3_1.basePath, token, accountIds });
  }
  return { gateway, given };
}

/** Each worker is one customer, because only the newest code of a customer is valid. */
function measureJourneys(tpp: BenchTpp, customers: readonly PersonaSummary[], seconds: number): Promise<Round> {
  const endMs = performance.now() + seconds * 1000;
  return runRequests(customers.length, (worker) =>
    performance.now() < endMs ? tpp.journey(customers[worker] as PersonaSummary) : undefined,
  );
}

async function measureTokens(tpp: BenchTpp, signingKey: JWK, agent: Agent, quick: boolean): Promise<Round[]> {
  const endpoint = await TokenEndpoint.find(tpp.issuer, tpp.clientId, signingKey, agent);
  const [rounds, requests] = quick ? [3, 200] : [5, 1_000];
  const measured: Round[] = [];
  for (let round = -1; round < rounds; round++) {
    // Signed beforehand, because the TPP's work is not measured.
    const stock = await endpoint.assertions(requests);
    const done = await runRequests(connections, () => {
      const assertion = stock.pop();
      return assertion === undefined ? undefined : endpoint.ask(assertion);
    });
    // The first one warms up.
    if (round >= 0) measured.push(done);
  }
  return measured;
}

interface ComparedReads<T> {
  readonly without: T;
  readonly embedded: T;
}

interface ReadBalances {
  /** The persona's name. */
  readonly name: string;
  readonly accountId: string;
  readonly asked: Asked;
  readonly answer: unknown;
}

function balancesOf({ base, token }: Given, accountId: string): Asked {
  return { url: `${base}/accounts/${accountId}/balances`, token };
}

/** Not every account of the sandbox bank can be read. */
async function readableBalances(given: ReadonlyMap<string, Given>, agent: Agent): Promise<ReadBalances[]> {
  const readable: ReadBalances[] = [];
  for (const [name, one] of given)
    for (const accountId of one.accountIds) {
      const asked = balancesOf(one, accountId);
      const answer = await readOver(agent, asked);
      if (answer !== undefined) readable.push({ name, accountId, asked, answer });
    }
  return readable;
}

/** The same for the gateway with the server, which must give the same answers. */
async function sameReads(
  readable: readonly ReadBalances[],
  given: ReadonlyMap<string, Given>,
  agent: Agent,
): Promise<ComparedReads<Asked[]>> {
  const embedded: Asked[] = [];
  for (const { name, accountId, answer } of readable) {
    // A gateway makes the public id of an account with its key, which both gateways share.
    const asked = balancesOf(given.get(name) as Given, accountId);
    deepStrictEqual(dataOf(await readOver(agent, asked)), dataOf(answer));
    embedded.push(asked);
  }
  return { without: readable.map(({ asked }) => asked), embedded };
}

const dataOf = (answer: unknown): unknown => (answer as { Data?: unknown } | undefined)?.Data;

async function measureReads(
  asked: ComparedReads<Asked[]>,
  gateways: ComparedReads<RunningGateway>,
  tls: ClientTls,
  quick: boolean,
): Promise<ComparedReads<Round[]> & { readonly cpuMs: ComparedReads<(number | undefined)[]> }> {
  const [rounds, seconds, warmUpSeconds] = quick ? [4, 1, 2] : [6, 3, 4];
  const measured: ComparedReads<Round[]> = { without: [], embedded: [] };
  const cpuMs: ComparedReads<(number | undefined)[]> = { without: [], embedded: [] };
  for (const side of ['without', 'embedded'] as const) await load(asked[side], warmUpSeconds, { tls });
  for (let round = 0; round < rounds; round++)
    for (const side of inTurn(['without', 'embedded'] as const, round)) {
      const spent = gateways[side].server.cpuMeter();
      const done = await load(asked[side], seconds, { tls });
      cpuMs[side].push(spent(done.answered));
      if (done.failed > 0) throw new Error(`balances over mutual TLS, ${side}: ${done.failed} failed`);
      measured[side].push(done);
    }
  return { ...measured, cpuMs };
}
