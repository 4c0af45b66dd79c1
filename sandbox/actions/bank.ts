import type { Debtor } from '../bank/debtor.js';
import { type Fault } from '../bank/faults.js';
import type { CodeMessage } from '../bank/inbox.js';
import type { Stack } from '../clients/stack.js';
import { FaultyStart } from '../faulty-start.js';

/** The actions of the bank's staff: on people, accounts, consents, TPPs and the core. */

export interface PersonaSummary {
  readonly name: string;
  readonly displayName: string;
  readonly customerRef: string;
  /** At the cores where it is another, by the core's name in `CORES`. */
  readonly customerRefs?: Readonly<Record<string, string>>;
  /** The persona signs in at the bank with these. They are of use in the sandbox only. */
  readonly loginName: string;
  readonly password: string;
  readonly accounts: readonly {
    /** Its name in `CORES`; missing for a single core. */
    readonly core?: string;
    readonly ref: string;
    readonly product: string;
    /** Missing where the account can be read. */
    readonly state?: 'not-permitted';
    /** Missing where a TPP cannot name the account. */
    readonly debtor?: Debtor;
  }[];
  readonly shows: string;
  /** Why the core lists no accounts, in one line. */
  readonly fault?: string;
}

export interface ConsentSummary {
  readonly ConsentId: string;
  readonly Status: string;
  readonly TppId?: string;
  readonly CreationDateTime?: string;
  readonly ExpirationDateTime?: string;
  readonly LastAuthenticatedDateTime?: string;
  readonly CustomerRef?: string;
  readonly Accounts?: readonly { readonly ref: string; readonly AccountId: string; readonly Product: string }[];
}

export interface TppSummary {
  readonly ClientId: string;
  readonly Issuer: string;
  readonly Name?: string;
  readonly Status?: string;
  readonly Metadata?: { readonly redirect_uris?: readonly string[]; readonly fapi_profile?: string };
}

export const accountStates = ['valid', 'not-permitted'] as const;
export type AccountState = (typeof accountStates)[number];

export async function personas(stack: Stack): Promise<readonly PersonaSummary[]> {
  const answer = await stack.sandbox('GET', '/admin/personas');
  return (answer as { personas: readonly PersonaSummary[] }).personas;
}

/** @param wanted the name, or the core's reference */
export async function personaOf(stack: Stack, wanted: string): Promise<PersonaSummary> {
  const all = await personas(stack);
  const persona = all.find(({ name, customerRef }) => name === wanted || customerRef === wanted);
  if (persona !== undefined) return persona;
  throw new FaultyStart(`there is no customer ${wanted}: it is one of ${all.map(({ name }) => name).join(', ')}`);
}

/** A persona whose accounts the core lists. */
export async function personaWithAccounts(stack: Stack, wanted: string): Promise<PersonaSummary> {
  const persona = await personaOf(stack, wanted);
  if (persona.fault !== undefined) throw new FaultyStart(persona.fault);
  return persona;
}

/** Opens the account to TPPs, or blocks it for them. */
export async function setAccountState(
  stack: Stack,
  ref: string,
  state: AccountState,
): Promise<{ ref: string; state: AccountState }> {
  await stack.sandbox('PUT', `/admin/accounts/${encodeURIComponent(ref)}/state`, { state });
  return { ref, state };
}

export async function faultOfCore(stack: Stack): Promise<string> {
  return ((await stack.sandbox('GET', '/admin/fault')) as { fault: string }).fault;
}

export async function setFault(stack: Stack, fault: Fault): Promise<{ fault: Fault }> {
  await stack.sandbox('PUT', '/admin/fault', { fault });
  return { fault };
}

/** The one-time codes in the inbox, newest first. */
export async function codes(stack: Stack): Promise<readonly CodeMessage[]> {
  return ((await stack.sandbox('GET', '/inbox/messages')) as { messages: readonly CodeMessage[] }).messages;
}

/** Lets the person with this login name sign in at once. */
export async function unlock(stack: Stack, loginName: string): Promise<{ loginName: string }> {
  await stack.bank('POST', '/sign-ins/unlock', { loginName });
  return { loginName };
}

/** The newest consents of a customer. */
export async function consentsOf(stack: Stack, customerRef: string): Promise<readonly ConsentSummary[]> {
  const answer = await stack.bank('GET', `/customers/${encodeURIComponent(customerRef)}/consents?limit=20`);
  return (answer as { Consents: readonly ConsentSummary[] }).Consents;
}

/** Reports to the gateway that the customer of the consent has authenticated again, now. */
export async function reauthenticate(stack: Stack, consentId: string): Promise<ConsentSummary> {
  const { CustomerRef } = (await stack.bank('GET', consentPath(consentId))) as ConsentSummary;
  if (CustomerRef === undefined) throw new FaultyStart(`consent ${consentId} has not been authorised yet`);
  const authenticatedAt = new Date(stack.bankClock.nowMs()).toISOString();
  const body = { customerRef: CustomerRef, authenticatedAt };
  return (await stack.bank('POST', `${consentPath(consentId)}/reauthentications`, body)) as ConsentSummary;
}

/** The customer withdraws the consent at the bank. */
export async function revoke(stack: Stack, consentId: string): Promise<ConsentSummary> {
  return (await stack.bank('POST', `${consentPath(consentId)}/revoke`)) as ConsentSummary;
}

/** The TPPs that the bank knows. */
export async function tpps(stack: Stack): Promise<readonly TppSummary[]> {
  return ((await stack.bank('GET', '/tpps')) as { Tpps: readonly TppSummary[] }).Tpps;
}

export async function setStanding(
  stack: Stack,
  { ClientId, Issuer }: Pick<TppSummary, 'ClientId' | 'Issuer'>,
  order: 'suspend' | 'reinstate',
): Promise<void> {
  await stack.bank('POST', `/tpps/${encodeURIComponent(ClientId)}/${order}?issuer=${encodeURIComponent(Issuer)}`);
}

export function consentPath(consentId: string): string {
  return `/consents/${encodeURIComponent(consentId)}`;
}

export interface BankTime {
  readonly now: string;
  /** Ahead of the machine's clock. */
  readonly aheadMs: number;
}

/** Moves the time of the bank, in every process of the stack, as the console's buttons do. */
export async function moveClock(stack: Stack, byMs: number): Promise<BankTime> {
  return (await stack.console('PUT', '/clock', { byMs })) as BankTime;
}
