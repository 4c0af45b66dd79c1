import { permissionCodes } from '../../src/open-banking/permissions.js';
import type { ApiScope } from '../../src/open-banking/scopes.js';
import type { VersionName } from '../../src/versions/versions.js';
import { type PublishedFacts, publishedFactsPath, servedVersions } from '../clients/published-facts.js';
import type { Stack } from '../clients/stack.js';
import { type ConsentSummary, consentPath, type PersonaSummary, personaWithAccounts } from './bank.js';

/** The customer's choices for a consent. Times are ISO 8601. */
export interface ConsentOptions {
  /** The name, or the core's reference. */
  readonly persona: string;
  /** Default: every permission that the gateway accepts. */
  readonly permissions?: readonly string[];
  /** The references of the accounts, at every core that has them. Default: every account of the persona. */
  readonly accounts?: readonly string[];
  /** Default: 0. */
  readonly authenticatedAgoMs?: number;
  readonly from?: string;
  readonly to?: string;
  readonly expires?: string;
  /** Default: the oldest that the gateway serves, because the token then works in every version. */
  readonly api?: VersionName;
}

export async function publishedFacts(stack: Stack): Promise<PublishedFacts> {
  return (await stack.gateway('GET', publishedFactsPath)) as PublishedFacts;
}

/** Every permission code that the gateway does not refuse. */
export function acceptedPermissions({ RefusedPermissions }: PublishedFacts): string[] {
  return permissionCodes.filter((code) => !RefusedPermissions.includes(code));
}

export type GivenConsent = Readonly<Awaited<ReturnType<typeof giveConsent>>>;

/** Creates a consent as a TPP, authorises it as the bank does once the customer has agreed, and mints its token. */
export async function giveConsent(stack: Stack, options: ConsentOptions) {
  const persona = await personaWithAccounts(stack, options.persona);
  const facts = await publishedFacts(stack);
  const basePath = servedVersions(facts, options.api)[0]?.basePath ?? '';
  const ClientToken = await token(stack);
  const ConsentId = await createConsent(stack, basePath, ClientToken, {
    Permissions: options.permissions ?? acceptedPermissions(facts),
    ExpirationDateTime: options.expires,
    TransactionFromDateTime: options.from,
    TransactionToDateTime: options.to,
  });
  const accounts = chosenAccounts(persona, options.accounts);
  const authorised = await authorise(stack, persona, ConsentId, accounts, options.authenticatedAgoMs);
  return {
    ConsentId,
    AccessToken: await token(stack, { consentId: ConsentId }),
    ClientToken,
    /** With the path of the version. */
    BaseUrl: `${stack.config.baseUrl}${basePath}`,
    Accounts: (authorised.Accounts ?? []).map(({ ref, AccountId, Product }) => ({ ref, AccountId, Product })),
  };
}

type ChosenAccount = Pick<PersonaSummary['accounts'][number], 'core' | 'ref'>;

/** Reports to the gateway that the customer has agreed. */
export async function authorise(
  stack: Stack,
  { customerRef, customerRefs }: PersonaSummary,
  consentId: string,
  accounts: readonly ChosenAccount[],
  authenticatedAgoMs = 0,
): Promise<ConsentSummary> {
  return (await stack.bank('POST', `${consentPath(consentId)}/authorise`, {
    customerRef,
    ...(customerRefs && { customerRefs }),
    // With several cores the bank names an account by its core, too.
    accounts: accounts.map(({ core, ref }) => (core === undefined ? ref : { core, ref })),
    authenticatedAt: new Date(stack.bankClock.nowMs() - authenticatedAgoMs).toISOString(),
  })) as ConsentSummary;
}

function chosenAccounts(
  { accounts }: PersonaSummary,
  refs: readonly string[] = accounts.map(({ ref }) => ref),
): readonly ChosenAccount[] {
  // The gateway says of a reference that the customer does not have that it is not the customer's.
  const strange = refs.filter((ref) => accounts.every((account) => account.ref !== ref));
  return [...accounts.filter(({ ref }) => refs.includes(ref)), ...strange.map((ref) => ({ ref }))];
}

/** Creates a consent that no customer has authorised yet. */
export async function createConsent(
  stack: Stack,
  basePath: string,
  clientToken: string,
  Data: object,
): Promise<string> {
  const body = { Data, Risk: {} };
  const path = `${basePath}/account-access-consents`;
  return (await postAsTpp<{ readonly ConsentId: string }>(stack, path, clientToken, body)).ConsentId;
}

/** @returns `Data` of the gateway's answer */
export async function postAsTpp<Data>(stack: Stack, path: string, bearer: string, body: object): Promise<Data> {
  return ((await stack.gateway('POST', path, bearer, body)) as { readonly Data: Data }).Data;
}

/** An access token of the sandbox's issuer: for the consent, or, without one, for managing consents. */
export async function token(
  stack: Stack,
  { consentId, scope }: { readonly consentId?: string; readonly scope?: ApiScope } = {},
): Promise<string> {
  const request = { client_id: stack.clientId, consent_id: consentId, scope };
  return ((await stack.sandbox('POST', '/issuer/tokens', request)) as { access_token: string }).access_token;
}

/** A line that can be pasted into a terminal: it lists the accounts. */
export function curlLine(given: GivenConsent): string {
  return `curl -sS -H 'Authorization: Bearer ${given.AccessToken}' ${given.BaseUrl}/accounts`;
}
