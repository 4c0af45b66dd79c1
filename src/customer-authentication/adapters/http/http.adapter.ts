import {
  CustomerAuthenticationUnavailable,
  type AuthenticatedCustomer,
  type CodeRefusal,
  type CustomerAuthentication,
  type CustomerAuthenticationServices,
  type CustomerChallenge,
  type CustomerCredentials,
} from '../../customer-authentication.js';
import { HttpAuthenticationClient, type HttpAnswer, type HttpAuthenticationSettings } from './http.client.js';

export function createCustomerAuthentication(
  settings: HttpAuthenticationSettings,
  { http }: CustomerAuthenticationServices,
): CustomerAuthentication {
  return new HttpCustomerAuthentication(new HttpAuthenticationClient(http, settings));
}

/**
 * Asks a sign-on service that has the sandbox bank's protocol (`sandbox/bank/sign-on-paths.ts`): tickets, proofs and
 * codes. A bank whose service has another protocol writes its own adapter.
 */
class HttpCustomerAuthentication implements CustomerAuthentication {
  constructor(private readonly client: HttpAuthenticationClient) {}

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
  const value = member(body, name);
  const trimmed = typeof value === 'string' ? value.trim() : '';
  if (trimmed !== '') return trimmed;
  throw new CustomerAuthenticationUnavailable(`the customer authentication answered without a usable "${name}"`);
}

function unexpected(step: string, { status }: HttpAnswer): CustomerAuthenticationUnavailable {
  return new CustomerAuthenticationUnavailable(`the customer authentication answered ${status} to ${step}`);
}
