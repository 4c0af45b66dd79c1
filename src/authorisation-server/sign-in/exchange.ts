import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticationRequest } from '../../../packages/customer-authentication/customer-authentication.js';
import type { JourneySubject } from './journey-trail.js';

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Where and why a customer signs in. */
export interface SignInExchange extends Exchange {
  readonly wish: SignInWish;
  /** For the trail; the bank's sign-on does not get it. */
  readonly subject: JourneySubject;
  /** The only customer who may sign in, where the access was given before. */
  readonly owner?: string | undefined;
}

interface SignInWish extends Pick<AuthenticationRequest, 'purpose' | 'asked'> {
  /** The name of the journey in its URL, or {@link atDashboard}: the bank's own sign-on sends the browser back there. */
  readonly at: string;
}

export const atDashboard = 'dashboard';
