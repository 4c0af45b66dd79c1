import { authorisationPaths as paths, mountPath } from '../../open-banking/authorisation-paths.js';
import type { FastifyRequest } from 'fastify';
import { hostCookie, type Cookie } from '../listeners/cookies.js';
import { interactionSeconds } from '../oidc/provider-parts.js';
import type { PageForm } from '../pages/customer-pages.js';
import { formToken } from '../sealing.js';

/** The steps that a customer can post. */
export type JourneyStep = 'sign-in' | 'code' | 'decision' | 'cancel';
export const journeySteps: readonly JourneyStep[] = ['sign-in', 'code', 'decision', 'cancel'];

/** Journeys are below it, each by its id, which is no secret: all that is shown or done needs the journey's cookie. */
export const journeysPath = `${mountPath}/interaction`;

/** Where a journey is shown. */
export function pageOf(id: string): string {
  return `${journeysPath}/${id}`;
}

/** Where a journey that has ended leads back to the TPP. */
export function resumeOf(id: string): string {
  return `${mountPath}${paths.authorization}/${id}`;
}

/** Each journey of a browser has its own, so that two tabs do not meet. */
export function journeyCookie(id: string, secure: boolean): Cookie {
  return hostCookie(`journey_${id.slice(0, 12)}`, secure, interactionSeconds);
}

/** @param bearer the value of the journey's cookie */
export function formOf(id: string, step: JourneyStep, bearer: string): PageForm {
  return { action: `${pageOf(id)}/${step}`, csrf: formToken(bearer) };
}

const checkDetails = 'check-details';

/** The page of the first factor, while a code is awaited at this place. */
export function detailsOf(place: string): string {
  return `${place}?${checkDetails}`;
}

export function asksForDetails({ query }: FastifyRequest): boolean {
  return (query as Readonly<Record<string, unknown>>)[checkDetails] !== undefined;
}
