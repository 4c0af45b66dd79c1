import {
  CustomerAuthenticationUnavailable,
  type AuthenticatedCustomer,
  type AuthenticationRequest,
  type CustomerAuthentication,
  type CustomerAuthenticationServices,
  type CustomerAuthenticationSettings,
  type Step,
  type StepInput,
} from '../../../../packages/customer-authentication/published-port.js';
import { HttpAuthenticationClient, member, text, type HttpAnswer } from './http.client.js';

/** The standard's name of strong customer authentication: two factors, as this protocol always has. */
const twoFactors = 'urn:openbanking:psd2:sca';

/** @throws SignOnSettingFault */
export function createCustomerAuthentication(
  settings: CustomerAuthenticationSettings,
  { http }: Pick<CustomerAuthenticationServices, 'http'>,
): CustomerAuthentication {
  return new HttpCustomerAuthentication(new HttpAuthenticationClient(settings, http));
}

/**
 * Asks a sign-on service that has the sandbox bank's protocol (`sandbox/bank/sign-on-paths.ts`): tickets, proofs and
 * codes. A bank whose service has another protocol writes its own adapter. The state of each step is its ticket.
 */
class HttpCustomerAuthentication implements CustomerAuthentication {
  readonly asksCredentials = true;

  constructor(private readonly client: HttpAuthenticationClient) {}

  async begin(request: AuthenticationRequest, signal: AbortSignal): Promise<Step> {
    const { credentials, purpose, asked, browser, language } = request;
    const ticket = { user: credentials?.loginName, pass: credentials?.password, purpose, asked, browser, language };
    const answer = await this.client.post('/tickets', ticket, signal);
    if (answer.status !== 201) throw unexpected('begin', answer);
    return stepOf(answer);
  }

  continue(ticket: string, input: StepInput, signal: AbortSignal): Promise<Step> {
    switch (input.input) {
      case 'code':
        return this.prove({ ticket, code: input.code }, signal);
      case 'poll':
        return this.prove({ ticket }, signal);
      case 'another-code':
        return this.sendAgain(ticket, signal);
      case 'return':
        throw new CustomerAuthenticationUnavailable('this sign-on sends no browser elsewhere');
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private async prove(proof: { readonly ticket: string; readonly code?: string }, signal: AbortSignal): Promise<Step> {
    const answer = await this.client.post('/proofs', proof, signal);
    // The customer has not answered the app yet.
    if (answer.status === 202) return stepOf(answer);
    const refusal = refusalOf(answer);
    if (refusal !== undefined) return refusal;
    if (answer.status !== 200) throw unexpected('a proof', answer);
    return {
      step: 'done',
      result: {
        customers: customersOf(answer.body),
        authenticatedAt: timeOf(answer.body),
        method: proof.code === undefined ? 'password+app' : 'password+code',
        acr: twoFactors,
      },
    };
  }

  private async sendAgain(ticket: string, signal: AbortSignal): Promise<Step> {
    const answer = await this.client.post('/codes', { ticket }, signal);
    const refusal = refusalOf(answer);
    if (refusal !== undefined) return refusal;
    if (answer.status !== 201) throw unexpected('another code', answer);
    return stepOf(answer);
  }
}

/** Only the service's own refusal is one: a 403 of a proxy in between says nothing of the customer. */
function refusalOf({ status, body }: HttpAnswer): Step | undefined {
  if (status !== 403) return undefined;
  switch (member(body, 'fail')) {
    case 'NOT_PROVEN':
      return { step: 'refused', reason: 'wrong' };
    case 'EXPIRED':
      return { step: 'refused', reason: 'expired' };
    case 'DECLINED':
      return { step: 'refused', reason: 'declined' };
    case 'LOCKED':
      return { step: 'refused', reason: 'locked', page: text(body, 'page') };
    case 'NEW_PASSWORD':
      return { step: 'refused', reason: 'must-change-password', page: text(body, 'page') };
    default:
      return undefined;
  }
}

function stepOf({ body }: HttpAnswer): Step {
  const state = text(body, 'ticket');
  const poll = member(body, 'poll');
  if (poll === undefined) return { step: 'code', state, sentTo: text(body, 'via') };
  if (typeof poll !== 'number')
    throw new CustomerAuthenticationUnavailable('the bank’s sign-on answered without a usable "poll"');
  return { step: 'wait', state, shown: text(body, 'shown'), pollAfterSeconds: poll };
}

/** The customer of the proof; or `for`, a list of those for whom the person may act. */
function customersOf(body: unknown): readonly [AuthenticatedCustomer, ...AuthenticatedCustomer[]] {
  const list = member(body, 'for');
  const [first, ...others] = Array.isArray(list) ? list.map(customerOf) : [customerOf(body)];
  if (first === undefined) throw new CustomerAuthenticationUnavailable('the bank’s sign-on answered with no customer');
  return [first, ...others];
}

function customerOf(body: unknown): AuthenticatedCustomer {
  const refs = member(body, 'refs');
  return {
    customerRef: text(body, 'client'),
    ...(typeof refs === 'object' && refs !== null && { customerRefs: textsOf(refs) }),
    displayName: text(body, 'name'),
  };
}

function textsOf(refs: object): Record<string, string> {
  return Object.fromEntries(Object.keys(refs).map((core) => [core, text(refs, core)]));
}

/** The time at which the bank authenticated the person: ISO 8601. */
function timeOf(body: unknown): Date {
  const at = new Date(text(body, 'at'));
  if (Number.isNaN(at.getTime()))
    throw new CustomerAuthenticationUnavailable('the bank’s sign-on answered without a usable "at"');
  return at;
}

function unexpected(step: string, { status }: HttpAnswer): CustomerAuthenticationUnavailable {
  return new CustomerAuthenticationUnavailable(`the bank’s sign-on answered ${status} to ${step}`);
}
