import type { Clock } from '../../src/clock/clock.js';
import { permissionCodes } from '../../src/open-banking/permissions.js';
import { loadProfile } from '../../src/profiles/load-profile.js';
import { FaultyStart } from '../faulty-start.js';
import type { SandboxConfig } from '../sandbox.config.js';
import { type Command, type ConsentWish, usage } from './arguments.js';
import { type StackClient, type ToldPersona, apiPath } from './stack.client.js';

/** What a command says: to a program, and to a person. */
export interface Said {
  readonly json: unknown;
  readonly text: string;
}

export interface GivenConsent {
  readonly ConsentId: string;
  readonly AccessToken: string;
  readonly ClientToken: string;
  readonly BaseUrl: string;
  readonly Accounts: readonly { readonly AccountId: string; readonly Product: string }[];
}

/** @param tell hears of each step of what takes long */
export async function run(
  command: Command,
  stack: StackClient,
  config: SandboxConfig,
  clock: Clock,
  tell: (line: string) => void = () => undefined,
): Promise<Said> {
  switch (command.name) {
    case 'help':
      return { json: { usage }, text: usage };
    case 'personas': {
      const personas = await stack.personas();
      return { json: { personas }, text: personas.map(personaText).join('\n\n') };
    }
    case 'consent': {
      const given = await giveConsent(command.wish, stack, config, clock);
      return { json: given, text: consentText(given) };
    }
    case 'reauthenticate': {
      const { CustomerRef } = await stack.consent(command.consentId);
      if (CustomerRef === undefined)
        throw new FaultyStart(`consent ${command.consentId} has not been authorised by anybody yet`);
      const json = await stack.reauthenticate(command.consentId, CustomerRef, new Date(clock.nowMs()).toISOString());
      return { json, text: `${json.ConsentId}: the customer has authenticated now` };
    }
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
    case 'journey': {
      // Only a journey needs a TPP's libraries, which take longer to load than all the rest.
      const { takeJourney } = await import('./take-journey.js');
      const json = await takeJourney(command, stack, config, clock, tell);
      return { json, text: JSON.stringify({ Accounts: json.Accounts, Balances: json.Balances }, undefined, 2) };
    }
  }
}

/** Creates a consent as a TPP, authorises it as the bank does once the customer has agreed, and mints its token. */
export async function giveConsent(
  wish: ConsentWish,
  stack: StackClient,
  config: SandboxConfig,
  clock: Clock,
): Promise<GivenConsent> {
  const persona = await stack.persona(wish.persona);
  const ClientToken = await stack.token();
  const ConsentId = await stack.createConsent(ClientToken, {
    Data: {
      Permissions: wish.permissions === 'all' ? await acceptedPermissions(config.profile) : wish.permissions,
      ExpirationDateTime: wish.expires,
      TransactionFromDateTime: wish.from,
      TransactionToDateTime: wish.to,
    },
    Risk: {},
  });
  const authorised = await stack.authorise(ConsentId, {
    customerRef: persona.customerRef,
    accounts: wish.accounts === 'all' ? persona.accounts.map(({ ref }) => ref) : wish.accounts,
    authenticatedAt: new Date(clock.nowMs() - wish.authenticatedAgoMs).toISOString(),
  });
  return {
    ConsentId,
    AccessToken: await stack.token(ConsentId),
    ClientToken,
    BaseUrl: config.baseUrl,
    Accounts: (authorised.Accounts ?? []).map(({ AccountId, Product }) => ({ AccountId, Product })),
  };
}

/** Every code that the profile does not refuse. */
async function acceptedPermissions(profileName: string): Promise<string[]> {
  const { refusedPermissions } = await loadProfile(profileName);
  return permissionCodes.filter((code) => !refusedPermissions.includes(code));
}

/** A line that can be pasted into a terminal. */
export function curlLine(given: GivenConsent, path: string): string {
  return `curl -sS -H 'Authorization: Bearer ${given.AccessToken}' ${given.BaseUrl}${apiPath}${path}`;
}

function consentText(given: GivenConsent): string {
  const accounts = given.Accounts.map(({ AccountId, Product }) => `  ${AccountId}  ${Product}`);
  return [`consent ${given.ConsentId}`, ...accounts, '', curlLine(given, '/accounts')].join('\n');
}

function personaText({ name, displayName, loginName, password, accounts, shows }: ToldPersona): string {
  return [
    `${name} (${displayName}): ${shows}`,
    `  signs in as ${loginName} with ${password} (in the sandbox only)`,
    ...accounts.map(({ ref, product }) => `  ${ref}  ${product}`),
  ].join('\n');
}
