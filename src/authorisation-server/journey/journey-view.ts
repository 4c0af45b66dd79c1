import type { Profile } from '../../profiles/profile.js';
import { accessRequest } from './access-request.js';
import type { JourneyContext } from './journey-context.js';

/** The content that every page of a journey shows, whatever its step. */
export function requestView({ consent, tpp }: JourneyContext, profile: Profile) {
  return {
    again: consent.status !== 'awaiting',
    request: accessRequest(consent, tpp, profile),
    ...(consent.status === 'cancelled' && { withdrawnAt: consent.statusUpdatedAt }),
  };
}
