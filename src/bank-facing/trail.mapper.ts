import type { Static } from 'typebox';
import type { ConsentReport } from '../trail/customer-report.js';
import type { Explanation } from '../trail/explain.js';
import type { Looked } from '../trail/trail-search.js';
import { notFound, type Why as FoundWhy } from '../trail/why.js';
import type { ReadsUnderConsent, Why } from './trail.schema.js';

export function presentWhy(found: FoundWhy): Static<typeof Why> {
  const { explanations, looked } = found;
  return {
    Events: explanations.map(presentExplanation),
    ...(explanations.length === 0 && { NotFound: notFound(found) }),
    Looked: presentLooked(looked),
  };
}

function presentExplanation(explanation: Explanation): Static<typeof Why>['Events'][number] {
  const { at, kind, instance, asked, outcome, checks, reason, wouldPass, core, errorId } = explanation;
  return {
    DateTime: at,
    Kind: kind,
    Instance: instance,
    Asked: asked,
    Outcome: outcome,
    Checks: checks.map(({ name, outcome: how, saw }) => ({
      Check: name,
      Outcome: how,
      ...(saw !== undefined && { Saw: saw }),
    })),
    ...(reason !== undefined && { Reason: { Code: reason.name, Meaning: reason.meaning, Remedy: reason.remedy } }),
    ...(wouldPass !== undefined && { WouldPass: wouldPass }),
    ...(core !== undefined && { Core: core }),
    ...(errorId !== undefined && { ErrorId: errorId }),
  };
}

export function presentReads(reads: ConsentReport['reads']): Static<typeof ReadsUnderConsent>[] {
  return reads.map(({ tpp, issuer, consent, endpoint, answered, attended, refused, first, last }) => ({
    TppId: tpp,
    TppIssuer: issuer,
    ConsentId: consent,
    Endpoint: endpoint,
    Answered: answered,
    Attended: attended,
    Refused: refused,
    FirstDateTime: first,
    LastDateTime: last,
  }));
}

export function presentLooked({ instances, days, openEvents, limit }: Looked): Static<typeof Why>['Looked'] {
  return {
    Instances: [...instances],
    Days: [...days],
    OpenEvents: openEvents,
    ...(limit !== undefined && { Limit: limit }),
  };
}
