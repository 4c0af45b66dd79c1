import { randomUUID } from 'node:crypto';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { realNowMs } from '../support/real-time.js';
import { bankCredential, type GatewayProcess } from './gateway-process.js';

const fundsScope = 'fundsconfirmations';

/** An access that a customer gave to a TPP. */
export interface GivenAccess {
  readonly tppId: string;
  readonly consentId: string;
  readonly token: string;
}

/** The requests of TPPs and of the bank to a gateway in a separate process. Any process of the same bank can serve them. */
export class GatewayClient {
  constructor(
    private readonly gateway: Pick<GatewayProcess, 'ports'>,
    private readonly bank: SandboxBank,
    private readonly credential = bankCredential,
  ) {}

  /** Created by the TPP, and authorised by the first persona with all accounts. */
  async give(tppId?: string): Promise<GivenAccess> {
    const access = await this.ask(tppId);
    await this.authorise(access);
    return access;
  }

  /** A consent that is not authorised yet, with the token that becomes valid by its authorisation. */
  ask(tppId = 'tpp-one', permissions = ['ReadAccountsBasic', 'ReadBalances']): Promise<GivenAccess> {
    return this.create(tppId, `${v3_1.basePath}/account-access-consents`, { Permissions: permissions });
  }

  async authorise({ consentId }: GivenAccess, customer: object = firstPerson(this.bank)): Promise<void> {
    const authenticatedAt = new Date(realNowMs() - 1_000).toISOString();
    await this.report(`/consents/${consentId}/authorise`, { ...customer, authenticatedAt });
  }

  /** A consent for confirmation of funds of the first account of the first person. */
  async giveFunds(): Promise<GivenAccess> {
    const acct = this.bank.personas[0]?.accounts[0]?.acct;
    const DebtorAccount = { SchemeName: 'UK.OBIE.IBAN', Identification: acct?.iban };
    const path = `${v3_1.fundsPath}/funds-confirmation-consents`;
    const access = await this.create('tpp-one', path, { DebtorAccount }, fundsScope);
    await this.authorise(access, { ...firstPerson(this.bank), accounts: [acct?.key] });
    return access;
  }

  /** The status of a check of funds. */
  async checkFunds({ consentId: ConsentId, token }: GivenAccess, Reference = randomUUID().slice(0, 35)) {
    const Data = { ConsentId, Reference, InstructedAmount: { Amount: '0.01', Currency: 'GBP' } };
    return (await this.send('POST', `${v3_1.fundsPath}/funds-confirmations`, token, { Data })).status;
  }

  /** The status of a read of the access's accounts; `undefined` where no answer came. */
  read({ token }: GivenAccess): Promise<number | undefined> {
    return this.send('GET', `${v3_1.basePath}/accounts`, token).then(
      ({ status }) => status,
      () => undefined,
    );
  }

  /** As the TPP. */
  async delete({ tppId, consentId }: GivenAccess): Promise<number> {
    const token = await this.bank.mintToken({ clientId: tppId });
    return (await this.send('DELETE', `${v3_1.basePath}/account-access-consents/${consentId}`, token)).status;
  }

  /** Resolves when the gateway has acknowledged the withdrawal, with the monotonic time of the acknowledgement. */
  async revoke({ consentId }: GivenAccess): Promise<number> {
    await this.report(`/consents/${consentId}/revoke`);
    return performance.now();
  }

  /** The consent as the bank sees it. */
  consent(consentId: string): Promise<unknown> {
    return this.asBank('GET', `/consents/${consentId}`);
  }

  /** A request of the bank; returns the body. */
  report(path: string, payload: object = {}): Promise<unknown> {
    return this.asBank('POST', path, payload);
  }

  /** A request of a TPP, whose body is read. */
  async send(
    method: string,
    path: string,
    token: string,
    payload?: object,
  ): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`http://127.0.0.1:${this.gateway.ports.port}${path}`, sent(method, token, payload));
    const body = await answer.text();
    return { status: answer.status, body: body === '' ? undefined : JSON.parse(body) };
  }

  private async create(clientId: string, path: string, Data: object, scope?: typeof fundsScope): Promise<GivenAccess> {
    const { mintToken } = this.bank;
    const token = await mintToken({ clientId, ...(scope && { scope }) });
    const { status, body } = await this.send('POST', path, token, scope ? { Data } : { Data, Risk: {} });
    if (status !== 201) throw new Error(`no consent: ${JSON.stringify(body)}`);
    const consentId = (body as { Data: { ConsentId: string } }).Data.ConsentId;
    return { tppId: clientId, consentId, token: await mintToken({ clientId, consentId, ...(scope && { scope }) }) };
  }

  private async asBank(method: string, path: string, payload?: object): Promise<unknown> {
    const url = `http://127.0.0.1:${this.gateway.ports.bankPort}/bank/v1${path}`;
    const answer = await fetch(url, sent(method, this.credential, payload));
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }
}

function firstPerson({ personas: [persona] }: SandboxBank): object {
  return { customerRef: persona?.person.key, accounts: persona?.accounts.map(({ acct }) => acct.key) };
}

function sent(method: string, token: string, payload: object | undefined): RequestInit {
  const headers = { authorization: `Bearer ${token}`, ...(payload && { 'content-type': 'application/json' }) };
  return { method, headers, ...(payload && { body: JSON.stringify(payload) }) };
}
