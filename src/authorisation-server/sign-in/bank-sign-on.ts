import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  CustomerAuthenticationUnavailable,
  type AuthenticationResult,
  type CustomerAuthentication,
  type CustomerBrowser,
  type Step,
  isCustomerAuthenticationUnavailable,
} from '../../../packages/customer-authentication/customer-authentication.js';
import { stepReach } from '../../../packages/customer-authentication/sign-on-http.js';
import { stepFault } from '../../../packages/customer-authentication/step-fault.js';
import { BankClock } from '../../clock/clock.js';
import { CUSTOMER_AUTHENTICATION } from '../../customer-authentication/customer-authentication.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { hostCookie, newBearer, readCookie, setCookie, type Cookie } from '../listeners/cookies.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { PagesByLanguage } from '../pages/pages.js';
import { returnPath } from './journey-addresses.js';
import type { Journey, SignedInCustomer } from './journey.js';
import type { Question, Reply } from './terms.js';
import type { Exchange, SignInExchange } from './exchange.js';
import { SignInLimits, type Start } from './sign-in-limits.js';

/** Browsers keep no cookie for longer. */
const deviceCookieSeconds = 400 * 86_400;

/** Asks the bank's sign-on, and trusts nothing that the adapter gives: an adapter can come from outside the gateway. */
@Injectable()
export class BankSignOn {
  private readonly deviceCookie: Cookie;

  constructor(
    @Inject(CUSTOMER_AUTHENTICATION) private readonly customers: CustomerAuthentication,
    private readonly limits: SignInLimits,
    private readonly pages: PagesByLanguage,
    private readonly clock: BankClock,
    private readonly settings: AuthorisationSettings,
    private readonly log: AuthorisationLog,
  ) {
    this.deviceCookie = hostCookie('device', settings.secure, deviceCookieSeconds);
  }

  /** Whether our page asks for login name and password. */
  get asksCredentials(): boolean {
    return this.customers.asksCredentials;
  }

  /**
   * Asks, and never fails: an unusable step is a fault for the log, and the bank is unreachable then.
   * @param start of a question that counts as one
   */
  async ask(exchange: SignInExchange, journey: Journey, question: Question, start: Start | undefined): Promise<Reply> {
    const present = 'attempt' in journey ? journey : undefined;
    try {
      const step = await this.step((signal) => this.put(exchange, question, present?.state ?? '', signal));
      if (step.step !== 'done') return step;
      const begunAtMs = (question.ask === 'begin' ? start : present?.attempt)?.atMs ?? Number.POSITIVE_INFINITY;
      return { step: 'done', customers: this.checked(step.result, begunAtMs), result: step.result };
    } catch (error) {
      if (!isCustomerAuthenticationUnavailable(error)) throw error;
      this.log.fault(error);
      return { step: 'unreachable', reached: error.reached };
    }
  }

  /** Names the place to which the browser comes back, and cannot be guessed. */
  newReturnState({ wish }: SignInExchange): string {
    return `${wish.at}.${randomBytes(32).toString('base64url')}`;
  }

  private put(
    { request, reply, wish }: SignInExchange,
    question: Question,
    state: string,
    signal: AbortSignal,
  ): Promise<Step> {
    switch (question.ask) {
      case 'begin': {
        const { at: _at, ...purpose } = wish;
        const { credentials, returnState } = question;
        const asked = {
          ...purpose,
          ...(credentials && { credentials }),
          browser: this.browserOf({ request, reply }),
          returnTo: { url: this.returnUrl, state: returnState },
          acrValues: this.settings.config.acrValues,
          language: this.pages.for(request).locale,
        };
        return this.customers.begin(asked, signal);
      }
      case 'code':
        return this.customers.continue(state, { input: 'code', code: question.code }, signal);
      case 'return': {
        const url = `${this.returnUrl}?${question.query}`;
        return this.customers.continue(state, { input: 'return', url }, signal);
      }
      default:
        return this.customers.continue(state, { input: question.ask }, signal);
    }
  }

  /** @throws CustomerAuthenticationUnavailable where the result is not good for this sign-in */
  private checked(result: AuthenticationResult, begunAtMs: number): readonly SignedInCustomer[] {
    const nowMs = this.clock.nowMs();
    const fault = resultFault(result, { begunAtMs, nowMs, acrValues: this.settings.config.acrValues });
    if (fault !== undefined)
      throw new CustomerAuthenticationUnavailable(`the result of the customer authentication is refused: ${fault}`);
    return signedInBy(result, nowMs);
  }

  private get returnUrl(): string {
    return `${this.settings.config.browser.url}${returnPath}`;
  }

  private browserOf({ request, reply }: Exchange): CustomerBrowser {
    const present = readCookie(request, this.deviceCookie);
    const deviceCookie = present ?? newBearer();
    if (present === undefined) setCookie(reply, this.deviceCookie, deviceCookie);
    const address = this.limits.addressOf(request);
    const userAgent = request.headers['user-agent']?.slice(0, 500);
    return { deviceCookie, ...(address !== undefined && { address }), ...(userAgent !== undefined && { userAgent }) };
  }

  private async step(ask: (signal: AbortSignal) => Promise<Step>): Promise<Step> {
    const step = await stepReach.run({ reached: false }, () => beforeDeadline(ask, this.settings.deadlineMs));
    const fault = stepFault(step);
    if (fault === undefined) return step;
    throw new CustomerAuthenticationUnavailable(`a step of the customer authentication cannot be used: ${fault}`);
  }
}

/** An adapter that ignores the signal does not hold the customer up, and its other errors are not repeated. */
async function beforeDeadline(ask: (signal: AbortSignal) => Promise<Step>, deadlineMs: number): Promise<Step> {
  const signal = AbortSignal.timeout(deadlineMs);
  const late = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () =>
      reject(new CustomerAuthenticationUnavailable('the customer authentication did not answer before the deadline')),
    ),
  );
  try {
    return await Promise.race([ask(signal), late]);
  } catch (error) {
    if (isCustomerAuthenticationUnavailable(error)) throw error;
    const name = error instanceof Error ? error.name : 'a value that is not an Error';
    throw new CustomerAuthenticationUnavailable(`the adapter of the customer authentication threw ${name}`);
  }
}

/** The difference between two clocks that is not a fault. */
const toleranceMs = 60_000;

/** Why a result cannot be used, where that is so: the customer is not authenticated for this request, or not strongly enough. */
function resultFault(
  { authenticatedAt, acr }: AuthenticationResult,
  { begunAtMs, nowMs, acrValues }: { begunAtMs: number; nowMs: number; acrValues: readonly string[] },
): string | undefined {
  const atMs = authenticatedAt.getTime();
  if (atMs > nowMs + toleranceMs) return 'its time of authentication is in the future';
  if (atMs < begunAtMs - toleranceMs) return 'its time of authentication is earlier than this sign-in';
  return acrValues.includes(acr) ? undefined : 'CUSTOMER_AUTHENTICATION_ACR does not name its acr';
}

/** The customers of a result without a fault. The bank's clock may be a little ahead of ours. */
function signedInBy({ customers, authenticatedAt }: AuthenticationResult, nowMs: number): SignedInCustomer[] {
  const authenticatedAtMs = Math.min(authenticatedAt.getTime(), nowMs);
  return customers.map(({ customerRef, customerRefs, displayName }) => ({
    customerRef,
    ...(customerRefs && { customerRefs }),
    displayName,
    authenticatedAtMs,
  }));
}
