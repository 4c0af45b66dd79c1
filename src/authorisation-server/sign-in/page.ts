import type { FastifyRequest } from 'fastify';
import type { Identification, PageDocument, SignInStepView } from '../pages/customer-pages.js';
import type { Pages } from '../pages/pages.js';
import { asksForDetails, asksToLeave, detailsOf, formOf, type JourneyStep } from './journey-addresses.js';
import type { StoredJourney } from './journey.store.js';
import { atDetails } from './states.js';

export interface SignInPage {
  readonly document: PageDocument;
  /** Where the browser goes from the page without a click, and when. */
  readonly refresh?: { readonly seconds: number; readonly address: string };
}

/** Where a sign-in is shown, and how. */
interface ShownSignIn {
  readonly request: FastifyRequest;
  /** The address of its pages. */
  readonly address: string;
  readonly pages: Pages;
  /** Further parts of its pages. */
  readonly more: Omit<SignInStepView, keyof Identification>;
  /** Whether our page asks for login name and password. */
  readonly asksCredentials: boolean;
}

/** The page of the present step; `undefined` where the customer is signed in. */
export function signInPage(shown: ShownSignIn, stored: StoredJourney): SignInPage | undefined {
  const { request, address, pages, more, asksCredentials } = shown;
  const journey = asksForDetails(request) ? atDetails(stored.journey) : stored.journey;
  const { message } = journey;
  const viewOf = (step: JourneyStep) => ({ ...more, form: formOf(address, step, stored), ...(message && { message }) });
  const details = (loginName?: string): SignInPage => {
    const atBank = !asksCredentials && { atBank: true as const };
    const typed = loginName !== undefined && { loginName };
    return { document: pages.signIn({ ...viewOf('sign-in'), ...typed, ...atBank }) };
  };
  switch (journey.step) {
    case 'sign-in':
      return details(journey.loginName);
    case 'code': {
      const sent = { sentTo: journey.sentTo, checkDetails: detailsOf(address) };
      return { document: pages.oneTimeCode({ ...viewOf('code'), ...sent }) };
    }
    case 'wait': {
      const number = journey.shown !== undefined && { shown: journey.shown };
      const addresses = { check: address, checkDetails: detailsOf(address) };
      return {
        document: pages.approveInApp({ ...viewOf('cancel'), ...number, ...addresses }),
        refresh: { seconds: journey.pollAfterSeconds, address },
      };
    }
    case 'redirect':
      // A browser that goes back sees the page on which the sign-in begins.
      if (!asksToLeave(request)) return details();
      return {
        document: pages.notice({ kind: 'leaving', resume: journey.url }),
        refresh: { seconds: 0, address: journey.url },
      };
    case 'choose-customer': {
      const names = journey.customers.map(({ displayName }) => displayName);
      return { document: pages.chooseCustomer({ ...viewOf('customer'), names }) };
    }
    default:
      return undefined;
  }
}
