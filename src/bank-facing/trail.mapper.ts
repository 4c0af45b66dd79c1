import type { Static } from 'typebox';
import type { ConsentReport } from '../trail/customer-report.js';
import type { Explanation } from '../trail/explain.js';
import type { SearchScope } from '../trail/trail-search.js';
import { notFound, type Why as FoundWhy } from '../trail/why.js';
import type { ReadsUnderConsent, Why } from './trail.schema.js';

export function presentWhy(found: FoundWhy): Static<typeof Why> {
  const { explanations, searched } = found;
  return {
    Events: explanations.map(presentExplanation),
    ...(explanations.length === 0 && { NotFound: notFound(found) }),
    Searched: presentSearched(searched),
  };
}

function presentExplanation(explanation: Explanation): Static<typeof Why>['Events'][number] {
  const { at, kind, instance, asked, outcome, checks, reason, neededToPass, core, errorId } = explanation;
  return {
    DateTime: at,
    Kind: kind,
    Instance: instance,
    Asked: asked,
    Outcome: outcome,
    Checks: checks.map(({ name, outcome: how, facts }) => ({
      Check: name,
      Outcome: how,
      ...(facts !== undefined && { Facts: facts }),
    })),
    ...(reason !== undefined && { Reason: { Code: reason.name, Meaning: reason.meaning, Remedy: reason.remedy } }),
    ...(neededToPass !== undefined && { NeededToPass: neededToPass }),
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

export function presentSearched({ instances, days, openEvents, limit }: SearchScope): Static<typeof Why>['Searched'] {
  return {
    Instances: [...instances],
    Days: [...days],
    OpenEvents: openEvents,
    ...(limit !== undefined && { Limit: limit }),
  };
}
