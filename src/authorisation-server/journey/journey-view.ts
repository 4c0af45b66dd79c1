import type { Profile } from '../../profiles/profile.js';
import { accessRequest } from './access-request.js';
import { formOf, type JourneyStep } from './journey-places.js';
import type { Visit } from './visit.js';

/** The content that every page of a journey shows. */
export function viewOf({ id, kept, consent, tpp }: Visit, step: JourneyStep, profile: Profile) {
  const { message } = kept.journey;
  return {
    form: formOf(id, step, kept.bearer),
    again: consent.status !== 'awaiting',
    request: accessRequest(consent, tpp, profile),
    ...(consent.ended && { withdrawnAt: consent.ended.at }),
    ...(message && { message }),
  };
}
