import { authorisationPaths as paths, mountPath } from '../../open-banking/authorisation-paths.js';
import type { FastifyRequest } from 'fastify';
import { hostCookie, type Cookie } from '../listeners/cookies.js';
import { interactionSeconds } from '../oidc/provider-parts.js';
import { dashboardPath, type PageForm } from '../pages/customer-pages.js';
import { formToken } from '../sealing.js';
import type { StoredJourney } from './journey.store.js';
import { atDashboard } from './exchange.js';

/** The steps that a customer can post. */
export type JourneyStep = 'sign-in' | 'code' | 'customer' | 'decision' | 'cancel';
export const journeySteps: readonly JourneyStep[] = ['sign-in', 'code', 'customer', 'decision', 'cancel'];

/** Each journey is below it by its id. The id is not secret: every page and every step needs the journey's cookie. */
export const journeysPath = `${mountPath}/interaction`;

/** Where a journey is shown. */
export function pageOf(id: string): string {
  return `${journeysPath}/${id}`;
}

/** The address from which the library sends the browser of an ended journey to the TPP. */
export function resumeOf(id: string): string {
  return `${mountPath}${paths.authorization}/${id}`;
}

/** Each journey has its own cookie, so that journeys in two tabs do not disturb each other. */
export function journeyCookie(id: string, secure: boolean): Cookie {
  return hostCookie(`journey_${id.slice(0, 12)}`, secure, interactionSeconds);
}

/** A form of the present step: a post of an earlier step's form changes nothing. */
export function formOf(address: string, step: JourneyStep, { bearer, version }: StoredJourney): PageForm {
  return { action: `${address}/${step}`, csrf: formToken(bearer, version) };
}

const checkDetails = 'check-details';

/** The page of the first factor, while a code is awaited at this place. */
export function detailsOf(address: string): string {
  return `${address}?${checkDetails}`;
}

export function asksForDetails({ query }: FastifyRequest): boolean {
  return (query as Readonly<Record<string, unknown>>)[checkDetails] !== undefined;
}

/** The bank's own sign-on sends every browser back to it. */
export const returnPath = `${mountPath}/sign-on/return`;
/** Follows the place of the journey, or of the dashboard. */
export const returnedStep = 'returned';

/** Where a return belongs, with its whole query; `undefined` for one without a state of ours. */
export function returnAddress(request: FastifyRequest): string | undefined {
  const { query, state = '' } = returnOf(request);
  const [, at] = /^([\w-]{1,64})\.[\w-]{43}$/.exec(state) ?? [];
  if (at === undefined) return undefined;
  return `${at === atDashboard ? dashboardPath : pageOf(at)}/${returnedStep}?${query}`;
}

/** The query of a return, as it came, and the state in it. */
export function returnOf({ raw }: FastifyRequest): { readonly query: string; readonly state: string | undefined } {
  const query = /\?(.*)/.exec(raw.url ?? '')?.[1] ?? '';
  return { query, state: new URLSearchParams(query).get('state') ?? undefined };
}

const leaves = 'leave';

/** The page that sends the browser on to the bank's own sign-on. A browser that goes back does not meet it. */
export function leavingAddress(address: string): string {
  return `${address}?${leaves}`;
}

export function asksToLeave({ query }: FastifyRequest): boolean {
  return (query as Readonly<Record<string, unknown>>)[leaves] !== undefined;
}
