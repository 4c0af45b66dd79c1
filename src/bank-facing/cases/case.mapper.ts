import type { Static } from 'typebox';
import type { ConsentFacts } from '../../consents/cases/case.store.js';
import type { Proposal, Scope, Withdrawn } from '../../consents/cases/withdrawal.js';
import type { CustomerConsent } from '../../consents/consent.js';
import { enderOf } from '../../consents/access.policy.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import type { PublicIds } from '../../open-banking/public-ids.js';
import type { ConsentReport } from '../../trail/customer-report.js';
import { presentConsent } from '../bank-consent.mapper.js';
import { presentSearched, presentReads } from '../trail.mapper.js';
import type { ProposalReport, TimelineEvents, WithdrawalReport } from './case.schema.js';

export function presentCase(
  { consent, deletedAt }: CustomerConsent,
  ids: PublicIds,
  nowMs: number,
): Record<string, unknown> {
  return {
    ...presentConsent(consent, ids, nowMs),
    AuthorisedDateTime: consent.authorisedAt && formatDateTime(consent.authorisedAt),
    DeletedDateTime: deletedAt && formatDateTime(deletedAt),
  };
}

interface TimelineEvent {
  readonly at: Date;
  readonly event: (typeof TimelineEvents)[number];
  readonly by?: string;
  readonly reason?: string;
  readonly text?: string | null;
}

export function presentTimeline(
  facts: ConsentFacts,
  { changes, reads, searched }: ConsentReport,
  ids: PublicIds,
  nowMs: number,
): Record<string, unknown> {
  return {
    Consent: presentCase(facts, ids, nowMs),
    Events: timelineOf(facts, changes, nowMs).map(({ at, event, by, reason, text }) => ({
      DateTime: formatDateTime(at),
      Event: event,
      By: by,
      Reason: reason,
      Text: text ?? undefined,
    })),
    Uses: presentReads(reads),
    Searched: presentSearched(searched),
  };
}

type Change = ConsentReport['changes'][number];

/** The trail's words for a change, in the words of the timeline. */
const eventsOfChanges: Readonly<Record<string, TimelineEvent['event']>> = {
  created: 'created',
  authorised: 'authorised',
  reauthenticated: 'authenticated',
  'account-left': 'account-left',
  rejected: 'refused',
  revoked: 'withdrawn',
  'authorisation-ended': 'authorisation-ended',
  deleted: 'deleted',
  abandoned: 'abandoned',
};
/** Acts of the customer, also where the bank reported them. */
const ofCustomers = ['authorised', 'authenticated', 'refused'];
/** The trail has the time of the event, the database that of the change. */
const sameMs = 2_000;

/** One list by time: an event of the trail that the database knows as well is there once, as the database knows it. */
function timelineOf(facts: ConsentFacts, changes: readonly Change[], nowMs: number): readonly TimelineEvent[] {
  const stored = eventsOf(facts, nowMs);
  // The first authentication is the authorisation.
  const wordsOf = (word: string) => (word === 'authorised' ? ['authorised', 'authenticated'] : [word]);
  const isStored = (word: string, atMs: number): boolean =>
    stored.some(({ event, at }) => wordsOf(word).includes(event) && Math.abs(at.getTime() - atMs) <= sameMs);
  const ofTrail = changes.flatMap(({ at, event, by, reason }): readonly TimelineEvent[] => {
    const word = eventsOfChanges[event];
    if (word === undefined || isStored(word, Date.parse(at))) return [];
    const actor = ofCustomers.includes(word) && by === 'bank' ? 'customer' : by;
    return [{ at: new Date(at), event: word, by: actor, ...(reason !== '' && { reason }) }];
  });
  return [...stored, ...ofTrail].toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/** By time. A later authentication gives an ended access again, so an operator's earlier withdrawals stay in the list. */
function eventsOf(facts: ConsentFacts, nowMs: number): readonly TimelineEvent[] {
  const { consent, deletedAt, erasedAt, lastUsedAt, withdrawals } = facts;
  const { authorisation, authorisedAt, expires, reason, status, statusUpdatedAt } = consent;
  const noted = withdrawals.map(({ withdrawnAt, withdrawnBy, reason, text, ofAccount = false }) => ({
    at: withdrawnAt,
    event: ofAccount ? ('account-left' as const) : ('withdrawn' as const),
    by: withdrawnBy,
    reason,
    text,
  }));
  const isNoted = (time: Date): boolean =>
    noted.some(({ at, event }) => event === 'withdrawn' && at.getTime() === time.getTime());
  const events: (TimelineEvent | undefined)[] = [
    { at: consent.createdAt, event: 'created', by: 'tpp' },
    authorisedAt && { at: authorisedAt, event: 'authorised', by: 'customer' },
    authorisation && { at: authorisation.lastAuthenticatedAt, event: 'authenticated', by: 'customer' },
    lastUsedAt && { at: lastUsedAt, event: 'used', by: 'tpp' },
    ...noted,
    status === 'cancelled' && !isNoted(statusUpdatedAt)
      ? { at: statusUpdatedAt, event: 'withdrawn', by: enderOf(consent) }
      : undefined,
    status === 'rejected' && !isNoted(statusUpdatedAt)
      ? { at: statusUpdatedAt, event: reason === 'not-completed' ? 'abandoned' : 'refused' }
      : undefined,
    deletedAt && { at: deletedAt, event: 'deleted', by: 'tpp' },
    expires && expires.atMs <= nowMs ? { at: new Date(expires.atMs), event: 'expired' } : undefined,
    erasedAt && { at: erasedAt, event: 'erased' },
  ];
  return events.filter((event) => event !== undefined).toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

export function presentWithdrawn({ at, count, consents }: Withdrawn): Static<typeof WithdrawalReport> {
  return {
    WithdrawnDateTime: formatDateTime(at),
    Count: count,
    ...(consents && {
      Consents: consents.map(({ consentId, tpp }) => ({
        ConsentId: consentId,
        TppId: tpp.clientId,
        TppIssuer: tpp.issuer,
      })),
    }),
  };
}

export function presentProposal(proposal: Proposal): Static<typeof ProposalReport> {
  const { proposalId, act, proposedBy, proposedAt, expiresAt } = proposal;
  return {
    ProposalId: proposalId,
    Act: act.kind,
    ...presentScope(act.scope),
    ...(act.kind === 'withdrawal' && { Reason: act.reason, ...(act.text !== undefined && { Text: act.text }) }),
    ...(act.kind === 'registration' && { Registration: act.entry }),
    ProposedBy: proposedBy,
    ProposedDateTime: formatDateTime(proposedAt),
    ExpirationDateTime: formatDateTime(expiresAt),
  };
}

function presentScope(scope: Scope) {
  switch (scope.kind) {
    case 'consent':
      return { ConsentId: scope.consentId };
    case 'customer':
      return { Customer: scope.customerRef };
    case 'account':
      return { Account: scope.account.ref, ...(scope.account.core !== undefined && { Core: scope.account.core }) };
    case 'tpp':
      return { TppId: scope.tpp.clientId, TppIssuer: scope.tpp.issuer };
  }
}
