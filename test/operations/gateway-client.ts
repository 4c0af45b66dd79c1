import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { realNowMs } from '../support/real-time.js';
import { bankCredential, type GatewayProcess } from './gateway-process.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

const base = v3_1.basePath;

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

  /** The status of a read of the access's accounts. */
  async read({ token }: GivenAccess): Promise<number> {
    return (await this.tpp('GET', '/accounts', token)).status;
  }

  /** Created by the TPP, and authorised by the first persona with all accounts. */
  async give(tppId: string): Promise<GivenAccess> {
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const created = await this.tpp(
      'POST',
      '/account-access-consents',
      await this.bank.mintToken({ clientId: tppId }),
      payload,
    );
    const { Data } = (await created.json()) as { Data: { ConsentId: string } };
    const [persona] = this.bank.personas;
    await this.report(`/consents/${Data.ConsentId}/authorise`, {
      customerRef: persona?.person.key,
      accounts: persona?.accounts.map(({ acct }) => acct.key),
      authenticatedAt: new Date(realNowMs()).toISOString(),
    });
    const token = await this.bank.mintToken({ clientId: tppId, consentId: Data.ConsentId });
    return { tppId, consentId: Data.ConsentId, token };
  }

  /** As the TPP. */
  async delete({ tppId, consentId }: GivenAccess): Promise<void> {
    const token = await this.bank.mintToken({ clientId: tppId });
    await this.tpp('DELETE', `/account-access-consents/${consentId}`, token);
  }

  /** The consent as the bank sees it. */
  consent(consentId: string): Promise<unknown> {
    return this.asBank('GET', `/consents/${consentId}`);
  }

  /** A request of the bank; returns the body. */
  report(path: string, payload: unknown = {}): Promise<unknown> {
    return this.asBank('POST', path, payload);
  }

  private async asBank(method: string, path: string, payload?: unknown): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${this.gateway.ports.bankPort}/bank/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.credential}`,
        ...(payload !== undefined && { 'content-type': 'application/json' }),
      },
      body: payload === undefined ? null : JSON.stringify(payload),
    });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  private async tpp(method: string, path: string, token: string, payload?: unknown): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.gateway.ports.port}${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(payload !== undefined && { 'content-type': 'application/json' }),
      },
      body: payload === undefined ? null : JSON.stringify(payload),
    });
  }
}
