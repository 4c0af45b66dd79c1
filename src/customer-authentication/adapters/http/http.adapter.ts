import { HttpService } from '@nestjs/axios';
import { Inject, Injectable } from '@nestjs/common';
import {
  CUSTOMER_AUTHENTICATION_SETTINGS,
  CustomerAuthenticationUnavailable,
  type AuthenticatedCustomer,
  type CodeRefusal,
  type CustomerAccount,
  type CustomerAuthentication,
  type CustomerChallenge,
  type CustomerCredentials,
} from '../../customer-authentication.js';
import { HttpAuthenticationClient, type HttpAnswer, type HttpAuthenticationSettings } from './http.client.js';

/**
 * The protocol's product codes. They are those of the ledger core, too, for the sandbox bank speaks both. No adapter may
 * build on another, so the adapter's spec compares them. Customers cannot choose an account of any other code.
 */
const products: Readonly<Record<string, CustomerAccount['product']>> = {
  CUR100: 'CurrentAccount',
  CUR200: 'CurrentAccount',
  SAV300: 'Savings',
  CRD400: 'CreditCard',
  RWD500: 'RewardsPayPlus',
  RUP600: 'RoundUp',
};

/**
 * Asks a sign-on service that has the sandbox bank's protocol (`sandbox/bank/sign-on-paths.ts`): tickets, proofs, and the
 * accounts of a client. A bank whose service has another protocol writes an adapter of its own.
 */
@Injectable()
export class HttpCustomerAuthentication implements CustomerAuthentication {
  private readonly client: HttpAuthenticationClient;

  constructor(@Inject(CUSTOMER_AUTHENTICATION_SETTINGS) settings: HttpAuthenticationSettings, http: HttpService) {
    this.client = new HttpAuthenticationClient(http, settings);
  }

  async start({ loginName, password }: CustomerCredentials, signal: AbortSignal): Promise<CustomerChallenge> {
    const answer = await this.client.post('/tickets', { user: loginName, pass: password }, signal);
    if (answer.status !== 201) throw unexpected('start', answer);
    return challengeOf(answer);
  }

  async verify(
    { challengeId }: CustomerChallenge,
    code: string,
    signal: AbortSignal,
  ): Promise<AuthenticatedCustomer | CodeRefusal> {
    const answer = await this.client.post('/proofs', { ticket: challengeId, code }, signal);
    if (refuses(answer, 'NOT_PROVEN')) return 'wrong';
    if (refuses(answer, 'EXPIRED')) return 'expired';
    if (answer.status !== 200) throw unexpected('verify', answer);
    return { customerRef: text(answer.body, 'client'), displayName: text(answer.body, 'name') };
  }

  async sendAgain({ challengeId }: CustomerChallenge, signal: AbortSignal): Promise<CustomerChallenge | undefined> {
    const answer = await this.client.post('/codes', { ticket: challengeId }, signal);
    if (refuses(answer, 'EXPIRED')) return undefined;
    if (answer.status !== 201) throw unexpected('sendAgain', answer);
    return challengeOf(answer);
  }

  async accounts(customerRef: string, signal: AbortSignal): Promise<readonly CustomerAccount[]> {
    const answer = await this.client.get(`/clients/${encodeURIComponent(customerRef)}/accts`, signal);
    const rows = member(answer.body, 'accts');
    if (answer.status !== 200 || !Array.isArray(rows)) throw unexpected('accounts', answer);
    return rows.flatMap((row: unknown) => {
      const prod = text(row, 'prod');
      const product = Object.hasOwn(products, prod) ? products[prod] : undefined;
      if (product === undefined) return [];
      const name = optionalText(row, 'label');
      return [{ ref: text(row, 'key'), product, ...(name !== '' && { name }), endsWith: text(row, 'tail') }];
    });
  }

  close(): Promise<void> {
    this.client.close();
    return Promise.resolve();
  }
}

/** Only the service's own refusal is one: a 403 of a proxy in between says nothing of the customer. */
function refuses({ status, body }: HttpAnswer, fail: string): boolean {
  return status === 403 && member(body, 'fail') === fail;
}

function challengeOf({ body }: HttpAnswer): CustomerChallenge {
  return { challengeId: text(body, 'ticket'), sentTo: text(body, 'via') };
}

function member(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

/** A member that must be there; texts may end in blanks. */
function text(body: unknown, name: string): string {
  const trimmed = optionalText(body, name);
  if (trimmed !== '') return trimmed;
  throw unusable(name);
}

/** One that may be empty: nobody has to name an account. */
function optionalText(body: unknown, name: string): string {
  const value = member(body, name);
  if (typeof value === 'string') return value.trim();
  throw unusable(name);
}

function unusable(name: string): CustomerAuthenticationUnavailable {
  return new CustomerAuthenticationUnavailable(`the customer authentication answered without a usable "${name}"`);
}

function unexpected(step: string, { status }: HttpAnswer): CustomerAuthenticationUnavailable {
  return new CustomerAuthenticationUnavailable(`the customer authentication answered ${status} to ${step}`);
}
