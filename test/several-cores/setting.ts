import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import type { Persona } from '../../sandbox/bank/personas/persona.js';
import { makePersonas } from '../../sandbox/bank/personas/personas.js';
import { type SandboxBank, startSandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import type { CoreConfig } from '../../src/config/core-config.js';
import { FakeClock } from '../support/fake-clock.js';
import { allPermissions, coreAt, noon, Stack, type Answer, type StackOptions } from '../support/stack.js';

/** The one customer whose reference differs: at the cards core it is `saverAtCards`, and theirs at the ledger is a stranger's. */
export const saverAtCards = 'X-saver';
/** The cards core holds more money. */
export const moreAtCards = 1_000_000;

/**
 * The people of the sandbox bank at another core: the same references of accounts, entries and customers, and other data.
 * The saver has another reference here, and the trader has that which the saver has at the ledger.
 */
function peopleAtCards(nowMs: number): Persona[] {
  const people = makePersonas(nowMs);
  const saverRef = people.find(({ name }) => name === 'saver')?.person.key ?? '';
  const refs: Readonly<Record<string, string>> = { saver: saverAtCards, trader: saverRef };
  return people.map((persona) => ({
    ...persona,
    person: { ...persona.person, key: refs[persona.name] ?? persona.person.key },
    accounts: persona.accounts.map((account) => ({
      ...account,
      acct: { ...account.acct, label: `At cards: ${persona.name}` },
      lists: {
        ...account.lists,
        figures: account.lists.figures.map((row) => ({ ...row, amt: row.amt + moreAtCards })),
      },
    })),
  }));
}

/** `dead`: no connection lasts. `hangs`: answers wait for {@link StubCore.release}. */
export type Conduct = 'well' | 'dead' | 'hangs' | 'answers 500';

/** A core with the ledger's protocol, which a test makes fail. */
export class StubCore {
  conduct: Conduct = 'well';
  asked = 0;
  readonly held = new Set<ServerResponse>();

  private readonly server = createServer((request, response) => void this.answer(request.url ?? '', response));

  private constructor(private readonly bank: SandboxBank) {}

  static async start(): Promise<StubCore> {
    const [issuerKeys, clock] = [await makeIssuerKeys(), new FakeClock(noon)];
    const options = { port: 0, credential: 'staff', issuerKeys, clock, makePersonas: peopleAtCards };
    const core = new StubCore(await startSandboxBank(options));
    await once(core.server.listen(0, '127.0.0.1'), 'listening');
    return core;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Ends every answer that hangs, as an error of the core. */
  release(): void {
    for (const response of this.held) response.writeHead(500).end();
    this.held.clear();
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await this.bank.close();
  }

  private async answer(path: string, response: ServerResponse): Promise<void> {
    this.asked++;
    if (this.conduct === 'dead') return void response.destroy();
    if (this.conduct === 'hangs') return void this.held.add(response);
    const asked = this.conduct === 'well' && (await fetch(this.bank.coreUrl + path));
    const [status, body] = asked ? [asked.status, await asked.text()] : [500, '{"fail":"NO"}'];
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  }
}

export interface Given {
  readonly consentId: string;
  readonly token: string;
  /** In the order in which the accounts were reported. */
  readonly accountIds: readonly string[];
}

export const atLedger = (ref: string) => ({ core: 'ledger', ref });
export const atCards = (ref: string) => ({ core: 'cards', ref });

/** A gateway over the sandbox bank's ledger and the stub. */
export class TwoCores {
  private constructor(
    readonly stack: Stack,
    readonly cards: StubCore,
  ) {}

  static async start(options: StackOptions = {}, ofCards: Partial<CoreConfig> = {}): Promise<TwoCores> {
    const cards = await StubCore.start();
    const cores = (ledger: CoreConfig): readonly CoreConfig[] => [
      { ...ledger, name: 'ledger', recordedAs: 'ledger' },
      { ...coreAt(cards.url), name: 'cards', recordedAs: 'cards', ...ofCards },
    ];
    return new TwoCores(await Stack.start({ cores, ...options }), cards);
  }

  async close(): Promise<void> {
    this.cards.release();
    await this.stack.close();
    await this.cards.close();
  }

  async awaiting(): Promise<string> {
    const created = await this.stack.ask('/account-access-consents', {
      method: 'POST',
      token: await this.stack.clientToken(),
      payload: { Data: { Permissions: allPermissions('profile-2') }, Risk: {} },
    });
    return created.json.Data.ConsentId as string;
  }

  async authorise(consentId: string, report: Readonly<Record<string, unknown>>): Promise<Answer> {
    const authenticatedAt = new Date(this.stack.clock.nowMs()).toISOString();
    return this.stack.report(`/consents/${consentId}/authorise`, { ...report, authenticatedAt });
  }

  async consent(report: Readonly<Record<string, unknown>>): Promise<Given> {
    const consentId = await this.awaiting();
    const { status, json, body } = await this.authorise(consentId, report);
    if (status !== 200) throw new Error(`not authorised: ${body}`);
    const token = await this.stack.bank.mintToken({ clientId: 'tpp-one', consentId });
    const accountIds = (json.Accounts as { AccountId: string }[]).map(({ AccountId }) => AccountId);
    return { consentId, token, accountIds };
  }

  async metric(series: string): Promise<number> {
    const { body } = await this.stack.gateway.bankServer.inject('/metrics');
    const found = body.split('\n').find((line) => line.startsWith(`${series} `));
    return Number(found?.slice(series.length + 1) ?? Number.NaN);
  }
}
