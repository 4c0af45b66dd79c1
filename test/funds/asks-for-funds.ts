import { randomUUID } from 'node:crypto';
import { v4_0 } from '../../src/versions/v4.0/v4.0.js';
import type { ApiVersion } from '../../src/endpoint/api-version.js';
import type { Answer, Stack } from '../support/stack.js';

const scope = 'fundsconfirmations';

/** An account as its customer gives it to a TPP. */
export function debtorOf(stack: Stack, persona: string, place = 0) {
  const found = stack.bank.personas.find(({ name }) => name === persona);
  const acct = found?.accounts[place]?.acct;
  if (found === undefined || acct === undefined) throw new Error(`${persona} has no such account`);
  return {
    ref: acct.key,
    customerRef: found.person.key,
    DebtorAccount: {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: `${acct.sort}${acct.num}`.replace(/\D/g, ''),
      Name: found.person.name.trim(),
    },
    iban: acct.iban,
  };
}

/** A TPP that asks about funds, in one version of the API. */
export class AsksForFunds {
  constructor(
    private readonly stack: Stack,
    readonly version: ApiVersion = v4_0,
    private readonly clientId = 'tpp-one',
  ) {}

  get consents(): string {
    return `${this.version.fundsPath}/funds-confirmation-consents`;
  }

  clientToken(): Promise<string> {
    return this.stack.bank.mintToken({ clientId: this.clientId, scope });
  }

  consentToken(consentId: string): Promise<string> {
    return this.stack.bank.mintToken({ clientId: this.clientId, scope, consentId });
  }

  async create(Data: object): Promise<Answer> {
    return this.stack.ask(this.consents, { method: 'POST', token: await this.clientToken(), payload: { Data } });
  }

  async of(consentId: string, method = 'GET'): Promise<Answer> {
    return this.stack.ask(`${this.consents}/${consentId}`, { method, token: await this.clientToken() });
  }

  /** A consent that the customer has approved. */
  async consented(persona: string, place = 0): Promise<string> {
    const { DebtorAccount } = debtorOf(this.stack, persona, place);
    const created = await this.create({ DebtorAccount });
    if (created.status !== 201) throw new Error(`no consent: ${created.body}`);
    const { ConsentId } = created.json.Data;
    await this.approved(ConsentId, persona, place);
    return ConsentId;
  }

  /** Resolves to the token of the consent, which the customer approves. */
  async approved(consentId: string, persona: string, place = 0): Promise<string> {
    const { customerRef, ref } = debtorOf(this.stack, persona, place);
    const authenticatedAt = new Date(this.stack.clock.nowMs()).toISOString();
    const answer = await this.stack.report(`/consents/${consentId}/authorise`, {
      customerRef,
      accounts: [ref],
      authenticatedAt,
    });
    if (answer.status !== 200) throw new Error(`not authorised: ${answer.body}`);
    return this.consentToken(consentId);
  }

  async check(consentId: string, Amount: string, over: object = {}): Promise<Answer> {
    const Data = { ConsentId: consentId, Reference: randomUUID().slice(0, 35), InstructedAmount: gbp(Amount), ...over };
    return this.stack.ask(`${this.version.fundsPath}/funds-confirmations`, {
      method: 'POST',
      token: await this.consentToken(consentId),
      payload: { Data },
    });
  }

  /** Whether the bank confirms the amount. */
  async confirms(consentId: string, amount: string): Promise<boolean> {
    const answer = await this.check(consentId, amount);
    if (answer.status !== 201) throw new Error(`no answer: ${answer.body}`);
    return answer.json.Data.FundsAvailable;
  }
}

export function gbp(Amount: string) {
  return { Amount, Currency: 'GBP' };
}
