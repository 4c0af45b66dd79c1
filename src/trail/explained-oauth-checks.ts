import type { RefusingCheck } from '../open-banking/checks.js';
import type { ExplainedCheck } from './explained-checks.js';
import { oauthSteps, type OAuthStep } from './oauth-checks.js';
import { numberIn, partIn, textIn, type StoredEvent } from './stored-event.js';

/**
 * How far a request to the authorization server came. A check that the server judges in parts has a row for each. Rows whose
 * outcome the event does not tell are left out: those from the refusal on, where its reason belongs to several parts.
 */
export function explainedOAuthChecks(event: StoredEvent): readonly ExplainedCheck[] {
  const steps = oauthSteps(event);
  const refusedBy = textIn(event, 'refusedBy') as RefusingCheck | '';
  const status = numberIn(event, 'status') ?? 0;
  const passed = (end?: number) => steps.slice(0, end).map((step) => explained(step, 'passed', event));
  if (refusedBy === '') return status >= 200 && status < 400 ? passed() : [];
  const [place, ...others] = placesOf(steps, event);
  if (place === undefined || others.length > 0)
    return [...passed(place ?? provenUpTo(steps, event)), { name: refusedBy, outcome: 'refused' }];
  return steps.map((step, index) =>
    explained(step, index < place ? 'passed' : index === place ? 'refused' : 'not reached', event),
  );
}

/** The places at which the request may have been refused. */
function placesOf(steps: readonly OAuthStep[], event: StoredEvent): readonly number[] {
  const reason = textIn(event, 'reason');
  const proven = provenUpTo(steps, event);
  return steps.flatMap(({ reasons }, place) =>
    place >= proven && reasons.some((name) => name === reason) ? place : [],
  );
}

/** The number of the first steps that the request passed for certain: up to the proof of the client. */
function provenUpTo(steps: readonly OAuthStep[], event: StoredEvent): number {
  return textIn(partIn(event, 'saw'), 'clientAuthentication') === ''
    ? 0
    : steps.findIndex(({ check }) => check === 'client authentication') + 1;
}

function explained(
  { check: name, judges, fact }: OAuthStep,
  outcome: ExplainedCheck['outcome'],
  event: StoredEvent,
): ExplainedCheck {
  if (outcome === 'not reached') return { name, outcome };
  const value = fact === undefined ? '' : textIn(partIn(event, 'saw'), fact);
  return { name, outcome, saw: value === '' ? judges : `${judges}: ${value}` };
}
