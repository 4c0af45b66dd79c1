import { randomUUID } from 'node:crypto';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { SystemClock } from '../../src/clock/clock.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { bankCredential, type GatewayProcess } from './gateway-process.js';

const api = v3_1.basePath;

/** A consent of a customer of the sandbox bank, and requests to gateways about it. */
export interface TestConsent {
  readonly consentId: string;
  readonly token: string;
}

/** By the core's references. */
export interface TestCustomer {
  readonly customerRef: string | undefined;
  readonly accounts: readonly string[] | undefined;
}

function firstPersonOf({ personas: [persona] }: SandboxBank): TestCustomer {
  return { customerRef: persona?.person.key, accounts: persona?.accounts.map(({ acct }) => acct.key) };
}

/** Creates and authorises a consent at the gateway. */
export async function consentAt(gateway: GatewayProcess, bank: SandboxBank): Promise<TestConsent> {
  const consent = await awaitingConsentAt(gateway, bank);
  await authoriseAt(gateway, bank, consent);
  return consent;
}

/** Creates a consent that is not authorised yet, with the token that becomes valid by its authorisation. */
export async function awaitingConsentAt(gateway: GatewayProcess, bank: SandboxBank): Promise<TestConsent> {
  const clientId = 'tpp-one';
  const created = await fetch(`http://127.0.0.1:${gateway.ports.port}${api}/account-access-consents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await bank.mintToken({ clientId })}`, 'content-type': 'application/json' },
    body: JSON.stringify({ Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} }),
  });
  if (created.status !== 201) throw new Error(`no consent: ${await created.text()}`);
  const { Data } = (await created.json()) as { Data: { ConsentId: string } };
  const consentId = Data.ConsentId;
  return { consentId, token: await bank.mintToken({ clientId, consentId }) };
}

export async function authoriseAt(
  gateway: GatewayProcess,
  bank: SandboxBank,
  { consentId }: TestConsent,
  customer: TestCustomer = firstPersonOf(bank),
): Promise<void> {
  await report(gateway, `/consents/${consentId}/authorise`, {
    ...customer,
    authenticatedAt: new Date(new SystemClock().nowMs() - 1_000).toISOString(),
  });
}

const funds = v3_1.fundsPath;
const fundsScope = 'fundsconfirmations';

/** Creates and authorises a consent for confirmation of funds at the gateway, for the first account of the first person. */
export async function fundsConsentAt(gateway: GatewayProcess, bank: SandboxBank): Promise<TestConsent> {
  const acct = bank.personas[0]?.accounts[0]?.acct;
  const clientId = 'tpp-one';
  const DebtorAccount = { SchemeName: 'UK.OBIE.IBAN', Identification: acct?.iban };
  const ownToken = await bank.mintToken({ clientId, scope: fundsScope });
  const created = await postAt(gateway, 'funds-confirmation-consents', ownToken, { DebtorAccount });
  if (created.status !== 201) throw new Error(`no consent: ${await created.text()}`);
  const { Data } = (await created.json()) as { Data: { ConsentId: string } };
  const consentId = Data.ConsentId;
  const token = await bank.mintToken({ clientId, consentId, scope: fundsScope });
  const accounts = acct && [acct.key];
  await authoriseAt(gateway, bank, { consentId, token }, { ...firstPersonOf(bank), accounts });
  return { consentId, token };
}

/** The status of a check of funds. */
export async function checkFundsAt(
  gateway: GatewayProcess,
  { consentId: ConsentId, token }: TestConsent,
  Reference: string = randomUUID().slice(0, 35),
): Promise<number> {
  const asked = { ConsentId, Reference, InstructedAmount: { Amount: '0.01', Currency: 'GBP' } };
  const answer = await postAt(gateway, 'funds-confirmations', token, asked);
  await answer.arrayBuffer();
  return answer.status;
}

function postAt(gateway: GatewayProcess, path: string, token: string, Data: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${gateway.ports.port}${funds}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ Data }),
  });
}

/** Resolves when the gateway has acknowledged the withdrawal, with the monotonic time of the acknowledgement. */
export async function revokeAt(gateway: GatewayProcess, { consentId }: TestConsent): Promise<number> {
  await report(gateway, `/consents/${consentId}/revoke`, {});
  return performance.now();
}

/** The status of a read of account information; `undefined` where no answer came. */
export async function readAt(gateway: GatewayProcess, { token }: TestConsent): Promise<number | undefined> {
  return fetch(`http://127.0.0.1:${gateway.ports.port}${api}/accounts`, {
    headers: { authorization: `Bearer ${token}` },
  }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => undefined,
  );
}

/** An operator's credential; the bank's own makes the first operator, who must be an admin. */
export async function operatorAt(
  gateway: GatewayProcess,
  name: string,
  role: string,
  by = bankCredential,
): Promise<string> {
  return ((await report(gateway, '/operators', { name, role }, by)) as { Credential: string }).Credential;
}

/** Withdraws every consent of the first person. Resolves with how many there were, and the time of the acknowledgement. */
export async function withdrawAllAt(
  gateway: GatewayProcess,
  bank: SandboxBank,
  operator: string,
): Promise<{ readonly count: number; readonly withdrawnMs: number }> {
  const body = { customer: firstPersonOf(bank).customerRef, reason: 'fraud' };
  const { Count } = (await report(gateway, '/cases/withdrawals', body, operator)) as { Count: number };
  return { count: Count, withdrawnMs: performance.now() };
}

async function report(
  gateway: GatewayProcess,
  path: string,
  body: object,
  credential = bankCredential,
): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${gateway.ports.bankPort}/bank/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
