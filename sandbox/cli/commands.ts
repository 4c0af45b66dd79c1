import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../src/clock/clock.js';
import { permissionCodes } from '../../src/open-banking/permissions.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { loadProfile } from '../../src/profiles/load-profile.js';
import { v3_1 } from '../../src/versions/v3.1.js';
import { FaultyStart } from '../faulty-start.js';
import type { PublishedFacts } from '../new-tpps/new-tpp.js';
import type { SandboxConfig } from '../sandbox.config.js';
import type { Command, ConsentOptions } from './arguments.js';
import type { CommandOutput } from './command-output.js';
import type { StackClient, PersonaSummary } from './stack.client.js';
import { usage } from './usage.js';

export interface AuthorisedConsent {
  readonly ConsentId: string;
  readonly AccessToken: string;
  readonly ClientToken: string;
  readonly BaseUrl: string;
  readonly Accounts: readonly { readonly ref: string; readonly AccountId: string; readonly Product: string }[];
}

/**
 * @param tell called with each step of a command that takes long
 * @param bankClock the time of the bank, where the sandbox has moved it on
 */
export async function run(
  command: Command,
  stack: StackClient,
  config: SandboxConfig,
  clock: Clock,
  tell: (line: string) => void = () => undefined,
  bankClock: Clock = clock,
): Promise<CommandOutput> {
  switch (command.name) {
    case 'help':
      return { json: { usage }, text: usage };
    case 'version':
      return projectVersion();
    case 'personas':
      return personasOf(stack);
    case 'consent':
      return consent(command.options, stack, config, bankClock);
    case 'reauthenticate':
      return reauthenticate(command.consentId, stack, bankClock);
    case 'revoke': {
      const json = await stack.revoke(command.consentId);
      return { json, text: `${json.ConsentId}: ${json.Status}` };
    }
    case 'account':
      return {
        json: await stack.setAccountState(command.ref, command.state),
        text: `${command.ref}: ${command.state}`,
      };
    case 'core':
      return { json: await stack.setFault(command.fault), text: `core fault: ${command.fault}` };
    case 'unlock':
      return unlock(command.loginName, stack);
    case 'journey':
      return journeyOf(command, stack, config, clock, tell);
    case 'tpp new':
    case 'tpp list':
    case 'tpp remove':
      return (await import('./tpp-commands.js')).runTppCommand(command, stack, config, clock);
  }
}

async function journeyOf(
  command: { readonly persona: string; readonly wait: boolean },
  ...parts: readonly [StackClient, SandboxConfig, Clock, (line: string) => void]
): Promise<CommandOutput> {
  // Only a journey needs a TPP's libraries, which take longer to load than all the rest.
  const { takeJourney } = await import('./take-journey.js');
  const json = await takeJourney(command, ...parts);
  return { json, text: JSON.stringify({ Accounts: json.Accounts, Balances: json.Balances }, undefined, 2) };
}

async function personasOf(stack: StackClient): Promise<CommandOutput> {
  const personas = await stack.personas();
  return { json: { personas }, text: personas.map(personaText).join('\n\n') };
}

async function unlock(loginName: string, stack: StackClient): Promise<CommandOutput> {
  await stack.unlock(loginName);
  return { json: { loginName }, text: `${loginName} can sign in at once` };
}

async function reauthenticate(consentId: string, stack: StackClient, clock: Clock): Promise<CommandOutput> {
  const { CustomerRef } = await stack.consent(consentId);
  if (CustomerRef === undefined) throw new FaultyStart(`consent ${consentId} has not been authorised yet`);
  const json = await stack.reauthenticate(consentId, CustomerRef, new Date(clock.nowMs()).toISOString());
  return { json, text: `${json.ConsentId}: the customer has authenticated now` };
}

/** Creates a consent as a TPP, authorises it as the bank does once the customer has agreed, and mints its token. */
export async function authoriseConsent(
  options: ConsentOptions,
  stack: StackClient,
  config: SandboxConfig,
  clock: Clock,
): Promise<AuthorisedConsent> {
  const persona = await stack.persona(options.persona);
  const ClientToken = await stack.token();
  const ConsentId = await stack.createConsent(ClientToken, {
    Data: {
      Permissions: options.permissions === 'all' ? await acceptedPermissions(config.profile) : options.permissions,
      ExpirationDateTime: options.expires,
      TransactionFromDateTime: options.from,
      TransactionToDateTime: options.to,
    },
    Risk: {},
  });
  const authorised = await stack.authorise(ConsentId, {
    customerRef: persona.customerRef,
    accounts: options.accounts === 'all' ? persona.accounts.map(({ ref }) => ref) : options.accounts,
    authenticatedAt: new Date(clock.nowMs() - options.authenticatedAgoMs).toISOString(),
  });
  return {
    ConsentId,
    AccessToken: await stack.token(ConsentId),
    ClientToken,
    BaseUrl: config.baseUrl,
    Accounts: (authorised.Accounts ?? []).map(({ ref, AccountId, Product }) => ({ ref, AccountId, Product })),
  };
}

/** Every code that the profile does not refuse. */
async function acceptedPermissions(profileName: string): Promise<string[]> {
  const { refusedPermissions } = await loadProfile(profileName);
  return permissionCodes.filter((code) => !refusedPermissions.includes(code));
}

/** A line that can be pasted into a terminal. */
export function curlLine(given: AuthorisedConsent, path: string): string {
  return `curl -sS -H 'Authorization: Bearer ${given.AccessToken}' ${given.BaseUrl}${v3_1.basePath}${path}`;
}

async function consent(options: ConsentOptions, ...parts: [StackClient, SandboxConfig, Clock]): Promise<CommandOutput> {
  const given = await authoriseConsent(options, ...parts);
  const { AuthenticationWindow } = await parts[0].publishedFacts();
  const isClosed = options.authenticatedAgoMs >= AuthenticationWindow.Seconds * 1000;
  const accounts = given.Accounts.map(({ ref, AccountId, Product }) => `  ${ref}  ${AccountId}  ${Product}`);
  const closed = isClosed ? [closedWindow(given.ConsentId, AuthenticationWindow), ''] : [];
  const text = [`consent ${given.ConsentId}`, ...accounts, '', ...closed, curlLine(given, '/accounts')].join('\n');
  return { json: given, text };
}

/** Describes the endpoints that the gateway still answers for this consent. */
function closedWindow(consentId: string, facts: PublishedFacts['AuthenticationWindow']): string {
  const { Seconds, ExemptEndpoints, ExemptInRecentHistory, RecentHistoryDays } = facts;
  const recent = ExemptInRecentHistory.map((endpoint) => `${endpoint} of the last ${RecentHistoryDays} days`);
  return `The authentication window is closed: the customer authenticated ${Seconds} seconds ago or more.
These still answer: ${[...ExemptEndpoints, ...recent].join(', ')}. All else is 403 Reauthentication until
  npm run --silent sandbox -- reauthenticate ${consentId}`;
}

async function projectVersion(): Promise<CommandOutput> {
  const { name, version } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  return { json: { version }, text: `${name} ${version}` };
}

function personaText({ name, displayName, loginName, password, accounts, shows }: PersonaSummary): string {
  return [
    `${name} (${displayName}): ${shows}`,
    `  signs in as ${loginName} with ${password} (in the sandbox only)`,
    ...accounts.map(({ ref, product }) => `  ${ref}  ${product}`),
  ].join('\n');
}
