import type { ChildProcess } from 'node:child_process';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { SystemClock } from '../../src/clock/clock.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { bankCredential, type GatewayPorts } from './gateway-process.js';
import { startLoad } from './load.js';

const api = v3_1.basePath;

/**
 * A TPP that reads a customer's balances. Every tenth request creates a consent.
 * @param pauseMs the pause of each of its connections after an answer
 */
export async function loadOf(
  port: number,
  { bankPort }: GatewayPorts,
  bank: SandboxBank,
  pauseMs = 60,
): Promise<ChildProcess> {
  const clientToken = await bank.mintToken({ clientId: 'tpp-one' });
  const body = JSON.stringify({ Data: { Permissions: ['ReadAccountsBasic', 'ReadBalances'] }, Risk: {} });
  const create = { path: `${api}/account-access-consents`, token: clientToken, body };
  const created = await ask(`http://127.0.0.1:${port}${create.path}`, clientToken, body);
  const consentId = (created as { Data: { ConsentId: string } }).Data.ConsentId;
  const persona = bank.personas.find(({ name }) => name === 'complete');
  const authorisation = {
    customerRef: persona?.person.key,
    accounts: persona?.accounts.map(({ acct }) => acct.key),
    authenticatedAt: new Date(new SystemClock().nowMs()).toISOString(),
  };
  const report = `http://127.0.0.1:${bankPort}/bank/v1/consents/${consentId}/authorise`;
  await ask(report, bankCredential, JSON.stringify(authorisation));
  const token = await bank.mintToken({ clientId: 'tpp-one', consentId });
  const listed = await ask(`http://127.0.0.1:${port}${api}/accounts`, token);
  const { AccountId } = (listed as { Data: { Account: [{ AccountId: string }] } }).Data.Account[0];
  const read = { path: `${api}/accounts/${AccountId}/balances`, token };
  return startLoad(port, read, create, { every: 10, pauseMs });
}

async function ask(url: string, token: string, body?: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(url, { headers, ...(body && { method: 'POST', body }) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
