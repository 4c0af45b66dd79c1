import { readFile } from 'node:fs/promises';
import { Agent, request } from 'undici';
import type { PersonaSummary } from '../../sandbox/actions/bank.js';
import { approveAtBank } from '../../sandbox/actions/customer.js';
import { bankEndpoint, openBank, registrationFile } from '../../sandbox/actions/registration.js';
import type { BankClient } from '../../sandbox/clients/bank.client.js';
import { listIn, textAt } from '../../sandbox/clients/exchange.js';
import { Stack } from '../../sandbox/clients/stack.js';
import type { SandboxPki } from '../../sandbox/pki/kept-pki.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { connections, headersOf, type Asked, type ClientTls } from './load.js';
import type { RunningGateway } from './setting.js';

/** The access that a customer gave: addresses and token. */
export interface Given {
  readonly base: string;
  readonly token: string;
  readonly accountIds: readonly string[];
}

/** The same, by the embedded authorization server. */
export interface GivenByJourney extends Given {
  readonly consentId: string;
  readonly refreshToken: string;
}

const permissions = [
  'ReadAccountsDetail',
  'ReadBalances',
  'ReadTransactionsDetail',
  'ReadTransactionsCredits',
  'ReadTransactionsDebits',
  'ReadParty',
];

/** The sandbox's TPP at a gateway with its own authorization server, and the browsers of its customers. */
export class BenchTpp {
  private constructor(
    private readonly stack: Stack,
    private readonly bank: BankClient,
    private readonly base: string,
    readonly issuer: string,
    /** The client id of its registration at the gateway. */
    readonly clientId: string,
  ) {}

  /** Registers with the gateway, too, by a statement of the sandbox's directory. */
  static async open({ environment }: RunningGateway): Promise<BenchTpp> {
    const config = readSandboxConfig(environment);
    const endpoint = bankEndpoint(config);
    const stack = new Stack(config);
    const bank = (await openBank(stack)).in('v3.1');
    const { clientId } = JSON.parse(await readFile(registrationFile(config.dataDir), 'utf8')) as { clientId: string };
    const base = `${endpoint.tppUrl}${v3_1.basePath}`;
    return new BenchTpp(stack, bank, base, endpoint.issuer, clientId);
  }

  /** The whole way once: consent, pushed request object, the bank's pages, code, tokens, and one read. */
  async journey(persona: PersonaSummary): Promise<GivenByJourney> {
    const { stack, bank, base } = this;
    const consentId = await bank.createConsent({ permissions });
    const { access } = await approveAtBank(stack, bank, persona, consentId);
    const { response, json } = await bank.read('/accounts', access);
    if (response.status !== 200) throw new Error(`/accounts was answered ${response.status} after a journey`);
    const accountIds = listIn(json, 'Account').map((account) => textAt(account, 'AccountId') ?? '');
    const { accessToken: token, refreshToken = '' } = access;
    return { base, token, accountIds, consentId, refreshToken };
  }

  close(): Promise<void> {
    return this.bank.close();
  }
}

export async function clientTls({ authorityFile, tpp }: SandboxPki): Promise<ClientTls> {
  const [ca, cert, key] = await Promise.all(
    [authorityFile, tpp.certificateFile, tpp.keyFile].map((file) => readFile(file)),
  );
  return { ca, cert, key } as ClientTls;
}

/** Kept-alive connections with mutual TLS, at most as many as the load has unless another number is given. */
export function tlsAgent(connect: ClientTls, most = connections): Agent {
  return new Agent({ connect, connections: most });
}

/** `undefined` for an answer other than 200. */
export async function readOver(agent: Agent, asked: Asked): Promise<unknown> {
  const { statusCode, body } = await request(asked.url, { dispatcher: agent, headers: headersOf(asked) });
  const text = await body.text();
  return statusCode === 200 ? (JSON.parse(text) as unknown) : undefined;
}
