import { readFile } from 'node:fs/promises';
import { v3_1 } from '../../src/versions/v3.1.js';
import { FaultyStart } from '../faulty-start.js';
import type { PublishedFacts } from '../new-tpps/new-tpp.js';
import type { ServedDocument } from '../new-tpps/served-document.js';
import type { SandboxConfig } from '../sandbox.config.js';
import { bankCredentialFile } from '../secrets.js';

/** The sandbox's own TPP. */
const sandboxTpp = 'sandbox-tpp';

export interface PersonaSummary {
  readonly name: string;
  readonly displayName: string;
  readonly customerRef: string;
  /** The persona signs in at the bank with these. They are of use in the sandbox only. */
  readonly loginName: string;
  readonly password: string;
  readonly accounts: readonly {
    readonly ref: string;
    readonly product: string;
    /** Missing where the account can be read. */
    readonly state?: 'not-permitted';
  }[];
  readonly shows: string;
}

export interface ConsentSummary {
  readonly ConsentId: string;
  readonly Status: string;
  readonly TppId?: string;
  readonly CreationDateTime?: string;
  readonly ExpirationDateTime?: string;
  readonly TransactionFromDateTime?: string;
  readonly TransactionToDateTime?: string;
  readonly AccessEndedDateTime?: string;
  readonly LastAuthenticatedDateTime?: string;
  readonly CustomerRef?: string;
  readonly Accounts?: readonly { readonly ref: string; readonly AccountId: string; readonly Product: string }[];
}

export interface TppSummary {
  readonly ClientId: string;
  readonly Name?: string;
  readonly Status?: string;
  readonly Metadata?: { readonly redirect_uris?: readonly string[]; readonly fapi_profile?: string };
}

/** A one-time code in the inbox. */
export interface CodeSummary {
  readonly loginName: string;
  readonly displayName: string;
  readonly code: string;
  readonly sentAtMs: number;
  readonly goodUntilMs: number;
}

export interface ConsentRequest {
  readonly Data: {
    readonly Permissions: readonly string[];
    readonly ExpirationDateTime?: string;
    readonly TransactionFromDateTime?: string;
    readonly TransactionToDateTime?: string;
  };
  readonly Risk: Readonly<Record<string, never>>;
}

/** A running stack, through its three ports and nothing else. Every fault is a {@link FaultyStart} of one line. */
export class StackClient {
  private readonly bankUrl: string;
  private readonly sandboxUrl: string;
  private credential?: string;

  /** @param clientId the TPP that consents are asked for by */
  constructor(
    private readonly config: SandboxConfig,
    private readonly clientId = sandboxTpp,
  ) {
    this.bankUrl = `http://127.0.0.1:${config.bankPort}/bank/v1`;
    this.sandboxUrl = `http://127.0.0.1:${config.sandboxPort}`;
    this.credential = config.bankCredential;
  }

  /** The page with the one-time codes. */
  get inboxUrl(): string {
    return `http://localhost:${this.config.sandboxPort}/inbox`;
  }

  /** The directory of TPPs. */
  get directoryUrl(): string {
    return `${this.sandboxUrl}/directory`;
  }

  /** The gateway's published facts. */
  async publishedFacts(): Promise<PublishedFacts> {
    const url = `http://127.0.0.1:${this.config.port}/.well-known/account-information`;
    return (await this.call('GET', url, undefined)) as PublishedFacts;
  }

  /** The OpenAPI document, as the gateway serves it. */
  async openApiDocument(): Promise<ServedDocument> {
    return (await this.call('GET', `http://127.0.0.1:${this.config.port}/openapi.json`, undefined)) as ServedDocument;
  }

  /** The TPPs that the bank knows. */
  async tpps(): Promise<readonly TppSummary[]> {
    const answer = await this.call('GET', `${this.bankUrl}/tpps`, await this.bankCredential());
    return (answer as { Tpps: readonly TppSummary[] }).Tpps;
  }

  async personas(): Promise<readonly PersonaSummary[]> {
    const answer = await this.call('GET', `${this.sandboxUrl}/admin/personas`, await this.bankCredential());
    return (answer as { personas: readonly PersonaSummary[] }).personas;
  }

  async persona(name: string): Promise<PersonaSummary> {
    const personas = await this.personas();
    const persona = personas.find((candidate) => candidate.name === name);
    if (persona !== undefined) return persona;
    const names = personas.map((candidate) => candidate.name).join(', ');
    throw new FaultyStart(`there is no persona ${name}: it is one of ${names}`);
  }

  setAccountState(ref: string, state: string): Promise<unknown> {
    return this.staff('PUT', `/admin/accounts/${encodeURIComponent(ref)}/state`, { state });
  }

  async fault(): Promise<string> {
    return ((await this.staff('GET', '/admin/fault')) as { fault: string }).fault;
  }

  async codes(): Promise<readonly CodeSummary[]> {
    const answer = await this.staff('GET', '/inbox/messages');
    return (answer as { messages: readonly CodeSummary[] }).messages;
  }

  /** The newest consents of a customer. */
  async consentsOf(customerRef: string): Promise<readonly ConsentSummary[]> {
    const path = `/customers/${encodeURIComponent(customerRef)}/consents?limit=20`;
    return ((await this.bank('GET', path)) as unknown as { Consents: readonly ConsentSummary[] }).Consents;
  }

  setStanding(clientId: string, order: 'suspend' | 'reinstate'): Promise<unknown> {
    return this.bank('POST', `/tpps/${encodeURIComponent(clientId)}/${order}`);
  }

  setFault(fault: string): Promise<unknown> {
    return this.staff('PUT', '/admin/fault', { fault });
  }

  /** An access token: for the consent, or, without one, for managing consents. */
  async token(consentId?: string): Promise<string> {
    const answer = await this.staff('POST', '/issuer/tokens', { client_id: this.clientId, consent_id: consentId });
    return (answer as { access_token: string }).access_token;
  }

  async createConsent(clientToken: string, request: ConsentRequest): Promise<string> {
    // Not BASE_URL: this machine may not know its host.
    const url = `http://127.0.0.1:${this.config.port}${v3_1.basePath}/account-access-consents`;
    const answer = await this.call('POST', url, clientToken, request);
    return (answer as { Data: { ConsentId: string } }).Data.ConsentId;
  }

  authorise(
    consentId: string,
    authorisation: { customerRef: string; accounts: readonly string[]; authenticatedAt: string },
  ): Promise<ConsentSummary> {
    return this.bank('POST', `/consents/${encodeURIComponent(consentId)}/authorise`, authorisation);
  }

  consent(consentId: string): Promise<ConsentSummary> {
    return this.bank('GET', `/consents/${encodeURIComponent(consentId)}`);
  }

  reauthenticate(consentId: string, customerRef: string, authenticatedAt: string): Promise<ConsentSummary> {
    const path = `/consents/${encodeURIComponent(consentId)}/reauthentications`;
    return this.bank('POST', path, { customerRef, authenticatedAt });
  }

  revoke(consentId: string): Promise<ConsentSummary> {
    return this.bank('POST', `/consents/${encodeURIComponent(consentId)}/revoke`);
  }

  /** Lets the person with this login name sign in at once. */
  async unlock(loginName: string): Promise<void> {
    await this.call('POST', `${this.bankUrl}/sign-ins/unlock`, await this.bankCredential(), { loginName });
  }

  private async staff(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.call(method, this.sandboxUrl + path, await this.bankCredential(), body);
  }

  private async bank(method: string, path: string, body?: unknown): Promise<ConsentSummary> {
    return (await this.call(method, this.bankUrl + path, await this.bankCredential(), body)) as ConsentSummary;
  }

  /** Of the bank's port, and of the sandbox's staff. */
  async bankCredential(): Promise<string> {
    const file = bankCredentialFile(this.config.dataDir);
    this.credential ??= await readFile(file, 'utf8').catch(() => {
      throw new FaultyStart(
        `${file} cannot be read: start the stack with npm start (it then answers at ${this.sandboxUrl}), or set DATA_DIR or BANK_CREDENTIAL`,
      );
    });
    return this.credential;
  }

  private async call(method: string, url: string, token: string | undefined, body?: unknown): Promise<unknown> {
    const response = await fetch(url, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    }).catch(() => {
      throw new FaultyStart(`nothing answers at ${new URL(url).origin}: start the stack with npm start`);
    });
    const text = await response.text();
    if (!response.ok) throw new FaultyStart(refusal(reasonIn(text), `${method} ${url} answered ${response.status}`));
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
}

/** The reason comes first, and the request after it. */
function refusal(reason: string | undefined, request: string): string {
  return reason === undefined ? request : `${reason.replace(/\.$/, '')} (${request})`;
}

/** The reason in an error answer: in the gateway's standard body, or in the sandbox's own. */
function reasonIn(text: string): string | undefined {
  try {
    const { Message, Errors, error } = JSON.parse(text) as {
      Message?: string;
      Errors?: readonly { Message?: string; Path?: string }[];
      error?: string;
    };
    // An error without anything to add repeats the message.
    const details = (Errors ?? [])
      .filter(({ Message: detail }) => detail !== Message)
      .map(({ Message: detail, Path }) => [Path, detail].filter(Boolean).join(': '));
    const parts = [Message ?? error, ...details].filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts.join(': ');
  } catch {
    return undefined;
  }
}
