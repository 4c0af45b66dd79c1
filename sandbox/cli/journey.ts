import type { Clock } from '../../src/clock/clock.js';
import { loadProfile } from '../../src/profiles/load-profile.js';
import { choicesFor, permissionsOf } from '../tpp/asked-for.js';
import {
  type Access,
  type BankClient,
  type Exchange,
  NotAsTheStandardSays,
  listIn,
  textAt,
} from '../tpp/bank.client.js';
import { BankVisit } from './bank-visit.js';
import type { ToldPersona } from './stack.client.js';

/** One step, and what came of it. */
export interface Step {
  readonly step: string;
  readonly result: string;
}

export interface JourneyResult {
  readonly ConsentId: string;
  readonly Steps: readonly Step[];
  /** What the customer let the TPP see, as the bank sent it. */
  readonly Accounts: readonly unknown[];
  readonly Balances: readonly unknown[];
}

/** A customer's way to the bank and back. */
export interface VisitParts {
  readonly bank: BankClient;
  readonly persona: Pick<ToldPersona, 'loginName' | 'password'>;
  /** Where the bank sends the customer back to. */
  readonly redirectUri: string;
  readonly inboxUrl: string;
  readonly clock: Clock;
}

export interface JourneyParts extends VisitParts {
  readonly persona: ToldPersona;
  readonly profile: string;
  /** Waits until what the authentication opened is closed again; absent: that is not looked at. */
  readonly waitOutWindow?: (access: Access) => Promise<void>;
  /** Told of each step as it is done. */
  readonly onStep: (step: Step) => void;
}

/**
 * The whole way: consent, the bank's pages, tokens, data, authentication anew, and the end of the access. Throws at the
 * first step that is not as the standard says.
 */
export async function journey(parts: JourneyParts): Promise<JourneyResult> {
  const { bank, persona, clock } = parts;
  const steps: Step[] = [];
  const did = (step: string, result: string): void => {
    steps.push({ step, result });
    parts.onStep({ step, result });
  };

  const { refusedPermissions } = await loadProfile(parts.profile);
  const choices = choicesFor(refusedPermissions);
  const permissions = permissionsOf(
    choices.map(({ name }) => name),
    choices,
  );
  const { consentId } = await bank.createConsent({ permissions });
  did('consent created', consentId);

  const first = await visitBank(parts, consentId);
  did('customer approved at the bank', `${first.chosen} accounts`);
  did('code exchanged', 'the id token names the consent and strong authentication');

  const accounts = answered(await bank.read('/accounts', first.access), 200);
  const listed = listIn(accounts.json, 'Account');
  if (listed.length === 0) throw new NotAsTheStandardSays('/accounts is empty, although accounts were chosen');
  did('accounts read', String(listed.length));
  const balances: unknown[] = [];
  for (const account of listed) {
    const read = await bank.read(`${accountPath(account)}/balances`, first.access);
    balances.push(...listIn(answered(read, 200).json, 'Balance'));
  }
  did('balances read', String(balances.length));

  const refreshed = await bank.refresh(first.access, clock.nowMs());
  answered(await bank.read('/accounts', refreshed), 200);
  did('token refreshed', 'the new one reads too');

  // Outside of the window only balances, accounts and recent transactions are read: section 5 of the specification.
  const windowed = `${accountPath(listed[0])}/party`;
  answered(await bank.read(windowed, refreshed), 200);
  if (parts.waitOutWindow !== undefined) {
    await parts.waitOutWindow(first.access);
    const later = await bank.refresh(refreshed, clock.nowMs());
    const refusal = answered(await bank.read(windowed, later), 403);
    if (textAt(refusal.json, 'Code') !== '403 Reauthentication')
      throw new NotAsTheStandardSays(`${windowed} was refused, but not with 403 Reauthentication`);
    answered(await bank.read(`${accountPath(listed[0])}/balances`, later), 200);
    did('authentication window over', 'the party is refused with Reauthentication, balances are read');
  }

  const again = await visitBank(parts, consentId);
  if (again.access.authenticatedAtMs < first.access.authenticatedAtMs)
    throw new NotAsTheStandardSays('the second authentication is told to be before the first');
  answered(await bank.read(windowed, again.access), 200);
  answered(await bank.read('/accounts', first.access), 401);
  did('customer authenticated again', 'the new token reads, the old one does not any more');

  answered(await bank.deleteConsent(consentId), 204);
  answered(await bank.read('/accounts', again.access), 401);
  did('access ended', `${persona.displayName}'s data cannot be read any more`);
  return { ConsentId: consentId, Steps: steps, Accounts: listed, Balances: balances };
}

function accountPath(account: unknown): string {
  return `/accounts/${encodeURIComponent(textAt(account, 'AccountId') ?? '')}`;
}

/**
 * Sends the customer to the bank, for the first time or again, who approves everything, and takes what they come back
 * with.
 */
export async function visitBank(parts: VisitParts, consentId: string): Promise<{ access: Access; chosen: number }> {
  const { bank, persona, inboxUrl, redirectUri, clock } = parts;
  const { url, departure } = await bank.departure(consentId);
  const visit = new BankVisit(redirectUri);
  await visit.open(url);
  expectPage(visit, 'password');
  await visit.submit({ login_name: persona.loginName, password: persona.password });
  expectPage(visit, 'code');
  await visit.submit({ code: await newestCode(inboxUrl, persona.loginName) });
  const chosen = visit.offered('account');
  await visit.submit({ account: chosen, decision: 'approve' });
  if (visit.leftFor === undefined)
    throw new NotAsTheStandardSays(`the bank did not send the customer back: its page says "${visit.heading}"`);
  return { access: await bank.arrival(visit.leftFor, departure, clock.nowMs()), chosen: chosen.length };
}

function expectPage(visit: BankVisit, field: string): void {
  if (visit.leftFor !== undefined)
    throw new NotAsTheStandardSays(`the bank sent the customer back before it asked for the ${field}`);
  if (!visit.asks(field))
    throw new NotAsTheStandardSays(`the bank's page "${visit.heading}" does not ask for the ${field}`);
}

async function newestCode(inboxUrl: string, loginName: string): Promise<string> {
  const answer = await fetch(`${inboxUrl}?to=${encodeURIComponent(loginName)}`);
  const code = /class="code">(\d{6})</.exec(await answer.text())?.[1];
  if (code === undefined) throw new NotAsTheStandardSays(`no code for ${loginName} came to ${inboxUrl}`);
  return code;
}

/** The exchange, if it was answered as it must be. */
function answered(exchange: Exchange, status: number): Exchange {
  const { request, response } = exchange;
  const self = textAt(exchange.json, 'Links', 'Self');
  if (self !== undefined && request.line !== `GET ${self}`)
    throw new NotAsTheStandardSays(`${request.line} was answered with the link ${self} to itself`);
  if (response.status === status) return exchange;
  const message = textAt(exchange.json, 'Message');
  throw new NotAsTheStandardSays(
    `${request.line} was answered ${response.status}, not ${status}${message === undefined ? '' : `: ${message}`}`,
  );
}
