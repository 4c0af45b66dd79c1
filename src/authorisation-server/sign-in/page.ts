import type {
  AwaitedApproval,
  CustomerNames,
  Identification,
  NoticeView,
  PageDocument,
  SentCode,
  TypedName,
} from '../pages/customer-pages.js';
import { asksForDetails, asksToLeave, detailsOf, formOf, type JourneyStep } from './journey-addresses.js';
import type { StoredJourney } from './journey.store.js';
import { atDetails } from './states.js';
import type { FastifyRequest } from 'fastify';

/** The pages of a sign-in. @template More the content that only these pages have, of a journey or of the dashboard */
interface SignInPages<More> {
  signIn(view: More & Identification & TypedName): PageDocument;
  oneTimeCode(view: More & Identification & SentCode): PageDocument;
  approveInApp(view: More & Identification & AwaitedApproval): PageDocument;
  chooseCustomer(view: More & Identification & CustomerNames): PageDocument;
  notice(view: NoticeView): PageDocument;
}

export interface SignInPage {
  readonly document: PageDocument;
  /** Where the browser goes from the page without a click, and when. */
  readonly refresh?: { readonly seconds: number; readonly address: string };
}

/** Where a sign-in is shown, and how. */
interface SignInView<More> {
  readonly request: FastifyRequest;
  /** The address of its pages. */
  readonly address: string;
  readonly pages: SignInPages<More>;
  readonly more: More;
  /** Whether our page asks for login name and password. */
  readonly asksCredentials: boolean;
}

/** The page of the present step; `undefined` where the customer is signed in. */
export function signInPage<More>(shown: SignInView<More>, stored: StoredJourney): SignInPage | undefined {
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
