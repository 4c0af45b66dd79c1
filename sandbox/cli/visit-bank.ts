import type { Clock } from '../../src/clock/clock.js';
import { StandardViolation } from '../tpp/bank-fault.js';
import type { Access, BankClient } from '../tpp/bank.client.js';
import { BankVisit } from './bank-visit.js';
import type { PersonaSummary } from './stack.client.js';

/** A customer's way to the bank and back. */
export interface VisitParts {
  readonly bank: BankClient;
  readonly persona: Pick<PersonaSummary, 'loginName' | 'password'>;
  /** The address to which the bank sends the customer back. */
  readonly redirectUri: string;
  readonly inboxUrl: string;
  readonly clock: Clock;
}

/**
 * Sends the customer to the bank, for the first time or again. The customer approves everything.
 * @returns the access that the customer came back with, and the number of accounts that they chose
 */
export async function visitBank(parts: VisitParts, consentId: string): Promise<{ access: Access; chosen: number }> {
  const { bank, persona, inboxUrl, redirectUri, clock } = parts;
  const { url, departure } = await bank.departure(consentId);
  const { back, chosen } = await approve(url, { persona, redirectUri, inboxUrl });
  return { access: await bank.arrival(back, departure, clock.nowMs()), chosen };
}

/**
 * Goes through the bank's pages as the customer, who approves everything.
 * @returns the address to which the bank sent the customer back, and the number of accounts that they chose
 */
export async function approve(
  url: URL,
  { persona, redirectUri, inboxUrl }: Pick<VisitParts, 'persona' | 'redirectUri' | 'inboxUrl'>,
): Promise<{ back: URL; chosen: number }> {
  const visit = new BankVisit(redirectUri);
  await visit.open(url);
  expectPage(visit, 'password');
  await visit.submit({ login_name: persona.loginName, password: persona.password });
  expectPage(visit, 'code');
  await visit.submit({ code: await newestCode(inboxUrl, persona.loginName) });
  const chosen = visit.offered('account');
  await visit.submit({ account: chosen, decision: 'approve' });
  if (visit.leftFor === undefined)
    throw new StandardViolation(`the bank did not send the customer back: its page says "${visit.heading}"`);
  return { back: visit.leftFor, chosen: chosen.length };
}

function expectPage(visit: BankVisit, field: string): void {
  if (visit.leftFor !== undefined)
    throw new StandardViolation(`the bank sent the customer back before it asked for the ${field}`);
  if (!visit.asks(field))
    throw new StandardViolation(`the bank's page "${visit.heading}" does not ask for the ${field}`);
}

async function newestCode(inboxUrl: string, loginName: string): Promise<string> {
  const answer = await fetch(`${inboxUrl}?to=${encodeURIComponent(loginName)}`);
  const code = /class="code">(\d{6})</.exec(await answer.text())?.[1];
  if (code === undefined) throw new StandardViolation(`no code for ${loginName} came to ${inboxUrl}`);
  return code;
}
