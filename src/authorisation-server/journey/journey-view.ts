import type { Profile } from '../../profiles/profile.js';
import { accessRequest } from './access-request.js';
import type { JourneyVisit } from './journey-visit.js';

/** The content that every page of a journey shows, whatever its step. */
export function requestView({ consent, tpp }: JourneyVisit, profile: Profile) {
  return {
    again: consent.status !== 'awaiting',
    request: accessRequest(consent, tpp, profile),
    ...(consent.status === 'cancelled' && { withdrawnAt: consent.statusUpdatedAt }),
  };
}
