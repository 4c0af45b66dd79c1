import { BankVisit } from '../cli/bank-visit.js';
import type { CodeSummary, PersonaSummary } from '../cli/stack.client.js';
import { FaultyStart } from '../faulty-start.js';

/**
 * Signs the person in at the bank's access dashboard, with both factors, as a browser would.
 * @returns the cookies of the session. A browser keeps them for the whole host, so that the dashboard finds them.
 */
export async function signInAtDashboard(
  dashboardUrl: string,
  { loginName, password }: Pick<PersonaSummary, 'loginName' | 'password'>,
  codes: () => Promise<readonly CodeSummary[]>,
): Promise<readonly string[]> {
  const visit = new BankVisit('about:');
  await visit.open(new URL(dashboardUrl));
  expectField(visit, 'password');
  await visit.submit({ login_name: loginName, password });
  expectField(visit, 'code');
  const code = (await codes()).find((message) => message.loginName === loginName)?.code;
  if (code === undefined) throw new FaultyStart(`no code came for ${loginName}`);
  await visit.submit({ code });
  if (visit.asks('code') || visit.asks('password'))
    throw new FaultyStart(`the bank did not let ${loginName} in: its page says "${visit.heading}"`);
  return visit.cookieLines;
}

function expectField(visit: BankVisit, field: string): void {
  if (!visit.asks(field)) throw new FaultyStart(`the bank's page "${visit.heading}" does not ask for the ${field}`);
}
