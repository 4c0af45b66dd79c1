import type { Access, BankClient } from '../clients/bank.client.js';
import { Browser } from '../clients/browser.js';
import type { Stack } from '../clients/stack.js';
import { FaultyStart } from '../faulty-start.js';
import { type PersonaSummary, codes } from './bank.js';

/** The actions of a customer at the bank's pages, through a browser. */

export type SignInDetails = Pick<PersonaSummary, 'loginName' | 'password'>;

/**
 * Sends the customer to the bank, for the first time or again. The customer approves everything.
 * @returns the access that the customer came back with, and the number of accounts that they chose
 */
export async function approveAtBank(
  stack: Stack,
  bank: BankClient,
  person: SignInDetails,
  consentId: string,
): Promise<{ access: Access; chosen: number }> {
  const { url, departure } = await bank.departure(consentId);
  const { back, chosen } = await approve(stack, url, bank.redirectUri, person);
  return { access: await bank.arrival(back, departure), chosen };
}

/**
 * Goes through the bank's pages as the customer, who approves everything.
 * @returns the address to which the bank sent the customer back, and the number of accounts that they chose
 */
export async function approve(
  stack: Stack,
  url: URL,
  redirectUri: string,
  person: SignInDetails,
): Promise<{ back: URL; chosen: number }> {
  const browser = await signedIn(stack, url, redirectUri, person);
  const chosen = browser.offered('account');
  await browser.submit({ account: chosen, decision: 'approve' });
  if (browser.leftFor === undefined)
    throw new FaultyStart(`the bank did not send the customer back: its page says "${browser.heading}"`);
  return { back: browser.leftFor, chosen: chosen.length };
}

/**
 * Signs the person in at the bank's access dashboard.
 * @returns the cookies of the session. A browser keeps them for the whole host, so that the dashboard finds them.
 */
export async function signInAtDashboard(stack: Stack, person: SignInDetails): Promise<readonly string[]> {
  const browser = await signedIn(stack, new URL(dashboardUrl(stack)), 'about:', person);
  if (browser.asks('code') || browser.asks('password'))
    throw new FaultyStart(`the bank did not let ${person.loginName} in: its page says "${browser.heading}"`);
  return browser.cookieLines;
}

export function dashboardUrl({ config }: Stack): string {
  return `${config.browserUrl}/as/dashboard`;
}

/** A browser whose customer has entered the password and the code. */
async function signedIn(
  stack: Stack,
  url: URL,
  redirectUri: string,
  { loginName, password }: SignInDetails,
): Promise<Browser> {
  const browser = new Browser(redirectUri);
  await browser.open(url);
  expectField(browser, 'password');
  await browser.submit({ login_name: loginName, password });
  expectField(browser, 'code');
  const code = (await codes(stack)).find((message) => message.loginName === loginName)?.code;
  if (code === undefined) throw new FaultyStart(`no code for ${loginName} came to ${stack.inboxUrl}`);
  await browser.submit({ code });
  return browser;
}

function expectField(browser: Browser, field: string): void {
  if (browser.leftFor !== undefined)
    throw new FaultyStart(`the bank sent the customer back before it asked for the ${field}`);
  if (!browser.asks(field)) throw new FaultyStart(`the bank's page "${browser.heading}" does not ask for the ${field}`);
}
