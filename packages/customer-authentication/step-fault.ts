import {
  mostStateLength,
  type AuthenticatedCustomer,
  type AuthenticationResult,
  type CodeStep,
  type DoneStep,
  type RedirectStep,
  type Refusal,
  type Step,
  type WaitStep,
} from './customer-authentication.js';

/** The steps in which the gateway waits for the customer. */
export type OpenStep = CodeStep | WaitStep | RedirectStep;

/** The longest text that an adapter may show, and the longest reference and name of a customer. */
const longestText = 200;

const notAStep = 'it is not a step of the port';

/**
 * Why the gateway cannot use a step of an adapter, where that is so. The kit asks the same.
 * @param step of an adapter that may be written without a compiler
 */
export function stepFault(step: Step): string | undefined {
  switch ((step as Step | undefined)?.step) {
    case 'done':
      return resultFault((step as DoneStep).result);
    case 'refused':
      return refusalFault(step as Refusal);
    case 'code':
    case 'wait':
    case 'redirect':
      return openStepFault(step as OpenStep);
    default:
      return notAStep;
  }
}

function refusalFault(refusal: Refusal): string | undefined {
  switch (refusal.reason) {
    case 'wrong':
    case 'expired':
    case 'declined':
      return undefined;
    case 'locked':
    case 'must-change-password':
      return isWebUrl(refusal.page) ? undefined : 'its page is not an https URL';
    default:
      return notAStep;
  }
}

function openStepFault(step: OpenStep): string | undefined {
  if (typeof step.state !== 'string' || step.state.length > mostStateLength)
    return `its state is not a text of at most ${mostStateLength} characters`;
  switch (step.step) {
    case 'code':
      return isShort(step.sentTo) ? undefined : 'it does not say where the code went';
    case 'redirect':
      return isWebUrl(step.url) ? undefined : 'its address is not an https URL';
    case 'wait': {
      const { pollAfterSeconds: seconds, shown } = step;
      if (!Number.isInteger(seconds) || seconds < 1 || seconds > 60)
        return 'its time between two questions is not from 1 to 60 seconds';
      return shown === undefined || isShort(shown) ? undefined : 'it shows no short text';
    }
  }
}

function resultFault({ customers, authenticatedAt, method }: AuthenticationResult): string | undefined {
  if (!(authenticatedAt instanceof Date) || Number.isNaN(authenticatedAt.getTime()))
    return 'its result has no time of authentication';
  if (!/^[\w+.:-]{1,64}$/.test(method)) return 'the method of its result is malformed';
  if (!Array.isArray(customers) || customers.length === 0) return 'its result names no customer';
  return (customers as readonly AuthenticatedCustomer[]).every(isCustomer)
    ? undefined
    : 'a customer of its result has no reference or no name';
}

function isCustomer({ customerRef, customerRefs = {}, displayName }: AuthenticatedCustomer): boolean {
  return [customerRef, displayName, ...Object.values(customerRefs)].every(isShort);
}

function isShort(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '' && text.length <= longestText;
}

/** Plain HTTP is accepted to this machine itself, as in a sandbox. */
function isWebUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname));
}
