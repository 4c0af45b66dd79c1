import { type FastifyInstance, fastify } from 'fastify';
import type { JWK } from 'jose';
import { SystemClock } from '../../src/clock/clock.js';
import type { Clock } from '../../src/clock/clock.js';
import { Directory } from '../directory/directory.js';
import { directoryPaths } from '../directory/directory-paths.js';
import type { SoftwareRegister } from '../directory/software-register.js';
import { defaultAudience, defaultIssuer } from '../sandbox.config.js';
import { appPage } from './app-page.js';
import { corePaths } from './core-paths.js';
import { FaultState } from './faults.js';
import { Inbox } from './inbox.js';
import { inboxPage } from './inbox-page.js';
import { Issuer } from './issuer.js';
import type { IssuerKeys, TokenRequest } from './issuer.js';
import { Ledger } from './ledger-accounts.js';
import type { AccountState, LedgerAccount } from './ledger-accounts.js';
import type { Fault } from './faults.js';
import type { OtherCores } from './other-core.js';
import type { Persona } from './personas/persona.js';
import { makePersonas } from './personas/personas.js';
import { SignOn } from './sign-on.js';
import { signOnPaths } from './sign-on-paths.js';
import { staffPaths } from './staff-paths.js';

export interface SandboxBankOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Bearer credential of the admin paths and of token minting. */
  readonly credential: string;
  /** Bearer credential of the customer authentication; without one it is not served. */
  readonly signOnCredential?: string;
  readonly issuerKeys: IssuerKeys;
  /** The private key with which the directory signs software statements; without one there is no directory. */
  readonly directoryKey?: JWK;
  /** The software that the directory knows. Default: none at first, and new software is kept in memory. */
  readonly software?: SoftwareRegister;
  /** `iss` of the tokens. Default {@link defaultIssuer}. */
  readonly issuer?: string;
  /** `aud` of the tokens. Default {@link defaultAudience}. */
  readonly audience?: string;
  /** The bank's own time: of the histories and of the codes. */
  readonly clock?: Clock;
  /** The time of those who are not part of the bank, its token issuer and the directory. Default: the bank's own. */
  readonly tppClock?: Clock;
  readonly makePersonas?: (nowMs: number) => Persona[];
  /** The cores of the customers where they are not the sandbox's own, which then has no accounts. */
  readonly otherCores?: OtherCores;
}

export interface SandboxBank {
  /** `http://host:port` */
  readonly url: string;
  /** The core's URL, for a gateway's settings. */
  readonly coreUrl: string;
  /** The URL of the customer authentication, for a gateway's settings. */
  readonly signOnUrl: string;
  /** The page with the one-time codes. */
  readonly inboxUrl: string;
  readonly directoryUrl: string;
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  readonly personas: readonly Persona[];
  mintToken(request: TokenRequest): Promise<string>;
  setFault(fault: Fault): void;
  /** Throws where there is no such account. */
  setAccountState(accountRef: string, state: AccountState): void;
  /** Puts these clients and their accounts in the place of all others of the core. The customers who sign on stay. */
  fill(personas: readonly Persona[]): void;
  /** To be called when its clock was moved forward: the histories continue until then. */
  timeMoved(): void;
  /** Ends at once, open answers too. */
  close(): Promise<void>;
}

/**
 * Starts the sandbox bank: a core-banking system, a token issuer, and the paths that steer them; a customer
 * authentication with its inbox; and the directory of TPPs, which is not part of the bank.
 */
export async function startSandboxBank(options: SandboxBankOptions): Promise<SandboxBank> {
  const clock = options.clock ?? new SystemClock();
  const tppClock = options.tppClock ?? clock;
  const madeAt = options.makePersonas ?? makePersonas;
  const personas = madeAt(clock.nowMs());
  const ledger = new Ledger(personas);
  const fault = new FaultState();
  const server = fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 500 } });
  const host = options.host ?? '127.0.0.1';
  const url = (): string => {
    const { port } = server.addresses()[0] as { port: number };
    return `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  };
  const { issuer: name = defaultIssuer, audience = defaultAudience } = options;
  const issuer = await Issuer.from(options.issuerKeys, name, audience, tppClock);

  server.get('/', (_request, reply) => reply.redirect('/inbox', 303));
  server.get('/health', () => ({ status: 'up' }));
  server.get('/issuer/jwks.json', () => issuer.publicKeys);
  server.register(corePaths(ledger, fault), { prefix: '/ledger' });
  registerSignOn(server, { personas, ledger, clock, url }, options.signOnCredential);
  registerDirectory(server, url, tppClock, options);
  server.register(staffPaths({ personas, ledger, fault, issuer, otherCores: options.otherCores }, options.credential));
  await server.listen({ port: options.port, host });
  return {
    ...addresses(url()),
    issuer: name,
    audience: issuer.audience,
    personas,
    mintToken: (request) => issuer.mint(request),
    setFault: (next) => {
      fault.current = next;
    },
    setAccountState: (accountRef, state) => existingAccount(ledger, accountRef).setState(state),
    fill: (given) => ledger.fill(given),
    timeMoved: () => ledger.renew(madeAt(clock.nowMs())),
    close: () => server.close(),
  };
}

function registerSignOn(
  server: FastifyInstance,
  bank: { personas: readonly Persona[]; ledger: Ledger; clock: Clock; url: () => string },
  credential: string | undefined,
): void {
  if (credential === undefined) return;
  const inbox = new Inbox();
  const signOn = new SignOn(bank.personas, inbox, bank.clock);
  const paths = signOnPaths(signOn, credential, bank.url);
  server.register(paths, { prefix: '/sign-on' });
  server.register(inboxPage(inbox, bank.clock));
  server.register(appPage(signOn));
}

function registerDirectory(
  server: FastifyInstance,
  url: () => string,
  clock: Clock,
  { directoryKey, software, credential }: SandboxBankOptions,
): void {
  if (directoryKey === undefined) return;
  const directory = new Directory(directoryKey, () => `${url()}/directory`, clock, software);
  server.register(directoryPaths(directory, credential), { prefix: '/directory' });
}

function addresses(url: string) {
  return {
    url,
    coreUrl: `${url}/ledger`,
    signOnUrl: `${url}/sign-on`,
    inboxUrl: `${url}/inbox`,
    directoryUrl: `${url}/directory`,
    jwksUrl: `${url}/issuer/jwks.json`,
  };
}

function existingAccount(ledger: Ledger, accountRef: string): LedgerAccount {
  const account = ledger.account(accountRef);
  if (account === undefined) throw new Error(`there is no account ${accountRef}`);
  return account;
}
