import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simpleIssuer } from '../../src/config/issuer-settings.js';
import type { GatewayConfig } from '../../src/config/config.js';
import { portOf, sendRaw, type RawAnswer } from '../support/raw-http.js';
import { allPermissions, base, noon, Stack, type StackOptions } from '../support/stack.js';
import { privateJwk, publicJwk, TokenForge } from '../support/token-forge.js';
import { FakeClock } from '../support/fake-clock.js';

export const issuers = { one: 'https://one.bank.example', two: 'https://two.bank.example' } as const;
export type IssuerOf = keyof typeof issuers;
const audience = 'account-information';

export interface Given {
  readonly consentId: string;
  readonly token: string;
  /** The customer and the first account. */
  readonly balances: string;
}

/** A listening gateway that accepts the tokens of two issuers, both of which have a client of the same id. */
export class TwoIssuers {
  private constructor(
    readonly stack: Stack,
    private readonly folder: string,
    private readonly forges: Readonly<Record<IssuerOf, TokenForge>>,
  ) {}

  static async start(config: Partial<GatewayConfig> = {}, options: StackOptions = {}): Promise<TwoIssuers> {
    const folder = await mkdtemp(join(tmpdir(), 'two-issuers-'));
    const clock = new FakeClock(noon);
    const make = async (of: IssuerOf) => {
      const key = await privateJwk('PS256', of);
      const file = join(folder, `${of}.json`);
      await writeFile(file, JSON.stringify({ keys: [publicJwk(key)] }));
      const forge = new TokenForge([key], issuers[of], audience, () => clock.nowMs());
      return { forge, issuer: simpleIssuer(issuers[of], audience, file, 'none') };
    };
    const [one, two] = await Promise.all([make('one'), make('two')]);
    const stack = await Stack.start({ clock, ...options, config: { issuers: [one.issuer, two.issuer], ...config } });
    await stack.gateway.listen();
    return new TwoIssuers(stack, folder, { one: one.forge, two: two.forge });
  }

  async close(): Promise<void> {
    await this.stack.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  token(of: IssuerOf, clientId = 'tpp-x', consentId?: string): Promise<string> {
    const claims = { client_id: clientId, ...(consentId !== undefined && { openbanking_intent_id: consentId }) };
    return this.forges[of].sign({ claims });
  }

  /** Asks the TPPs' listener. */
  async ask(token: string, path: string, method = 'GET', payload?: unknown): Promise<RawAnswer> {
    const content = payload === undefined ? '' : JSON.stringify(payload);
    const head = [
      `${method} ${path.startsWith('/accounts') || path.startsWith('/account-') ? base : ''}${path} HTTP/1.1`,
      'Host: gateway.example',
      `Authorization: Bearer ${token}`,
      'Connection: close',
      ...(payload === undefined
        ? []
        : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
    ];
    return sendRaw(portOf(this.stack.gateway.server), `${head.join('\r\n')}\r\n\r\n${content}`);
  }

  /** A consent of that issuer's TPP, which the customer has approved. */
  async consent(of: IssuerOf, persona = 'saver', clientId = 'tpp-x', agoMs = 0): Promise<Given> {
    const payload = { Data: { Permissions: allPermissions(this.stack.config.profile) }, Risk: {} };
    const created = await this.ask(await this.token(of, clientId), '/account-access-consents', 'POST', payload);
    const { ConsentId: consentId } = created.json.Data as { ConsentId: string };
    const { customerRef, accounts } = this.stack.persona(persona);
    const { json } = await this.stack.report(`/consents/${consentId}/authorise`, {
      customerRef,
      accounts: accounts.map(({ ref }) => ref),
      authenticatedAt: new Date(this.stack.clock.nowMs() - agoMs).toISOString(),
    });
    const token = await this.token(of, clientId, consentId);
    return { consentId, token, balances: `/accounts/${json.Accounts[0].AccountId}/balances` };
  }
}
