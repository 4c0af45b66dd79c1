import { setTimeout as delay } from 'node:timers/promises';
import type { VersionName } from '../../src/versions/versions.js';
import { loadProfile } from '../../src/profiles/load-profile.js';
import type { Access, BankClient } from '../clients/bank.client.js';
import { inOneLine } from '../clients/bank-fault.js';
import { type Exchange, isRefusedByWindow, listIn, textAt } from '../clients/exchange.js';
import type { Stack } from '../clients/stack.js';
import { FaultyStart } from '../faulty-start.js';
import { type PersonaSummary, personaWithAccounts } from './bank.js';
import { acceptedPermissions, publishedFacts } from './consent.js';
import { approveAtBank } from './customer.js';
import { openRegistered } from './registration.js';

/** One step and its result. */
export interface Step {
  readonly step: string;
  readonly result: string;
}

export interface JourneyResult {
  readonly ConsentId: string;
  readonly Steps: readonly Step[];
  /** The accounts that the customer let the TPP see, as the bank sent them. */
  readonly Accounts: readonly unknown[];
  readonly Balances: readonly unknown[];
}

export interface JourneyParts {
  readonly stack: Stack;
  readonly bank: BankClient;
  readonly persona: PersonaSummary;
  /** Waits until the authentication window has closed. Without it the journey skips that step. */
  readonly waitOutWindow?: (access: Access) => Promise<void>;
  /** Called with each step as it is done. */
  readonly onStep: (step: Step) => void;
}

/** A {@link journey} of the sandbox's TPP. Every fault is a {@link FaultyStart} of one line. */
export async function takeJourney(
  stack: Stack,
  { persona: name, wait, api }: { readonly persona: string; readonly wait: boolean; readonly api?: VersionName },
  note: (line: string) => void,
): Promise<JourneyResult> {
  const persona = await personaWithAccounts(stack, name);
  const bank = await openRegistered(stack);
  const { rules } = await loadProfile(stack.config.profile);
  const waitOutWindow = async ({ authenticatedAtMs }: Access): Promise<void> => {
    // A second more, because the times of the standard have no fractions.
    const leftMs = authenticatedAtMs + rules.authenticationWindowSeconds * 1_000 + 1_000 - stack.bankClock.nowMs();
    note(`waiting ${Math.ceil(leftMs / 1000)} s for the end of the authentication window`);
    await delay(leftMs);
  };
  const onStep = ({ step, result }: Step): void => note(`${step}: ${result}`);
  try {
    const parts = { stack, bank: bank.in(api), persona, onStep, ...(wait && { waitOutWindow }) };
    return await inOneLine(journey(parts));
  } finally {
    await bank.close();
  }
}

/**
 * The whole way: consent, the bank's pages, tokens, data, another authentication, and the end of the access. Throws at
 * the first step that differs from the standard.
 */
export async function journey(parts: JourneyParts): Promise<JourneyResult> {
  const steps: Step[] = [];
  const way = new Journey(parts, (step, result) => {
    steps.push({ step, result });
    parts.onStep({ step, result });
  });
  const ConsentId = await way.createConsent();
  const first = await way.approve(ConsentId);
  const { Accounts, Balances } = await way.read(first);
  const refreshed = await way.refresh(first);
  // Outside of the window the bank refuses the party: docs/specification.md, "The authentication window".
  const windowed = `${accountPath(Accounts[0])}/party`;
  answered(await parts.bank.read(windowed, refreshed), 200);
  if (parts.waitOutWindow !== undefined) {
    await parts.waitOutWindow(first);
    await way.seeWindowClosed(windowed, `${accountPath(Accounts[0])}/balances`, refreshed);
  }
  const again = await way.authenticateAgain(ConsentId, first, windowed);
  await way.end(ConsentId, again);
  return { ConsentId, Steps: steps, Accounts, Balances };
}

class Journey {
  constructor(
    private readonly parts: JourneyParts,
    private readonly did: (step: string, result: string) => void,
  ) {}

  async createConsent(): Promise<string> {
    const permissions = acceptedPermissions(await publishedFacts(this.parts.stack));
    const consentId = await this.parts.bank.createConsent({ permissions });
    this.did('consent created', consentId);
    return consentId;
  }

  async approve(consentId: string): Promise<Access> {
    const { stack, bank, persona } = this.parts;
    const { access, chosen } = await approveAtBank(stack, bank, persona, consentId);
    this.did('customer approved at the bank', `${chosen} accounts`);
    this.did('code exchanged', 'the id token names the consent and strong authentication');
    return access;
  }

  async read(access: Access): Promise<Pick<JourneyResult, 'Accounts' | 'Balances'>> {
    const { bank } = this.parts;
    const Accounts = listIn(answered(await bank.read('/accounts', access), 200).json, 'Account');
    if (Accounts.length === 0) throw new FaultyStart('/accounts is empty, although accounts were chosen');
    this.did('accounts read', String(Accounts.length));
    const Balances: unknown[] = [];
    for (const account of Accounts) {
      const read = await bank.read(`${accountPath(account)}/balances`, access);
      Balances.push(...listIn(answered(read, 200).json, 'Balance'));
    }
    this.did('balances read', String(Balances.length));
    return { Accounts, Balances };
  }

  async refresh(access: Access): Promise<Access> {
    const { bank } = this.parts;
    const refreshed = await bank.refresh(access);
    answered(await bank.read('/accounts', refreshed), 200);
    this.did('token refreshed', 'the new one reads too');
    return refreshed;
  }

  /** The window has closed: the bank refuses one path and still serves the other. */
  async seeWindowClosed(windowed: string, alwaysOpen: string, access: Access): Promise<void> {
    const { bank } = this.parts;
    const later = await bank.refresh(access);
    const refusal = answered(await bank.read(windowed, later), 403);
    if (!isRefusedByWindow(refusal))
      throw new FaultyStart(`${windowed} was refused, but not for another authentication`);
    answered(await bank.read(alwaysOpen, later), 200);
    this.did('authentication window ended', 'the party is refused with Reauthentication, balances are read');
  }

  async authenticateAgain(consentId: string, before: Access, windowed: string): Promise<Access> {
    const { stack, bank, persona } = this.parts;
    const { access } = await approveAtBank(stack, bank, persona, consentId);
    if (access.authenticatedAtMs < before.authenticatedAtMs)
      throw new FaultyStart('the bank dates the second authentication before the first');
    answered(await bank.read(windowed, access), 200);
    answered(await bank.read('/accounts', before), 401);
    this.did('customer authenticated again', 'the new token reads, the old one does not any more');
    return access;
  }

  async end(consentId: string, access: Access): Promise<void> {
    const { bank, persona } = this.parts;
    answered(await bank.deleteConsent(consentId), 204);
    answered(await bank.read('/accounts', access), 401);
    this.did('access ended', `${persona.displayName}'s data cannot be read any more`);
  }
}

function accountPath(account: unknown): string {
  return `/accounts/${encodeURIComponent(textAt(account, 'AccountId') ?? '')}`;
}

/** Returns the exchange if the bank answered it with that status and a true link to itself. */
function answered(exchange: Exchange, status: number): Exchange {
  const { request, response } = exchange;
  const self = textAt(exchange.json, 'Links', 'Self');
  if (self !== undefined && request.line !== `GET ${self}`)
    throw new FaultyStart(`${request.line} was answered with the link ${self} to itself`);
  if (response.status === status) return exchange;
  const message = textAt(exchange.json, 'Message');
  throw new FaultyStart(
    `${request.line} was answered ${response.status}, not ${status}${message === undefined ? '' : `: ${message}`}`,
  );
}
