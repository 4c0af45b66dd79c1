import {
  mostStateLength,
  type AuthenticationResult,
  type CodeStep,
  type RedirectStep,
  type Step,
  type WaitStep,
} from '../../../packages/customer-authentication/customer-authentication.js';
import type { SignedInCustomer } from './journey.js';

/** The steps in which the gateway waits for the customer. */
export type OpenStep = CodeStep | WaitStep | RedirectStep;

/** The difference between two clocks that is no fault. */
const toleranceMs = 60_000;
const longestText = 200;

/** Why a step of an adapter cannot be used, where that is so. */
export function stepFault(step: Step): string | undefined {
  switch (step.step) {
    case 'done':
      return undefined;
    case 'refused':
      return 'page' in step && !isWebUrl(step.page) ? 'its page is no https URL' : undefined;
    default:
      return typeof step.state === 'string' && step.state.length <= mostStateLength
        ? openStepFault(step)
        : `its state is no text of at most ${mostStateLength} characters`;
  }
}

function openStepFault(step: OpenStep): string | undefined {
  switch (step.step) {
    case 'code':
      return isShort(step.sentTo) ? undefined : 'it does not say where the code went';
    case 'redirect':
      return isWebUrl(step.url) ? undefined : 'its address is no https URL';
    case 'wait': {
      const { pollAfterSeconds: seconds, shown } = step;
      if (!Number.isInteger(seconds) || seconds < 1 || seconds > 60)
        return 'its time between two questions is not from 1 to 60 seconds';
      return shown === undefined || isShort(shown) ? undefined : 'it shows no short text';
    }
  }
}

function isShort(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '' && text.length <= longestText;
}

/** Plain HTTP is accepted within this machine, as in a sandbox. */
function isWebUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname));
}

/** Why a result cannot be used, where that is so: the customer is not authenticated for this request, or not strongly enough. */
export function resultFault(
  { customers, authenticatedAt, method, acr }: AuthenticationResult,
  { begunAtMs, nowMs, acrValues }: { begunAtMs: number; nowMs: number; acrValues: readonly string[] },
): string | undefined {
  const atMs = authenticatedAt instanceof Date ? authenticatedAt.getTime() : NaN;
  if (Number.isNaN(atMs)) return 'it has no time of authentication';
  if (atMs > nowMs + toleranceMs) return 'its time of authentication is in the future';
  if (atMs < begunAtMs - toleranceMs) return 'its time of authentication is before this sign-in';
  if (!acrValues.includes(acr)) return 'CUSTOMER_AUTHENTICATION_ACR does not name its acr';
  if (!/^[\w+.:-]{1,64}$/.test(method)) return 'its method is malformed';
  if (!Array.isArray(customers) || customers.length === 0) return 'it names no customer';
  return customers.every(({ customerRef, displayName }) => isShort(customerRef) && isShort(displayName))
    ? undefined
    : 'a customer has no reference or no name';
}

/** The customers of a result without a fault. The bank's clock may be a little ahead of ours. */
export function signedInBy({ customers, authenticatedAt }: AuthenticationResult, nowMs: number): SignedInCustomer[] {
  const authenticatedAtMs = Math.min(authenticatedAt.getTime(), nowMs);
  return customers.map((customer) => ({ ...customer, authenticatedAtMs }));
}
