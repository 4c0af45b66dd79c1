import { printable } from '../../src/open-banking/printable.js';
import { count, unserved } from '../../src/trail/words.js';
import type { Static } from 'typebox';
import type * as schemas from '../../src/bank-facing/cases/case.schema.js';

type CaseConsent = Static<typeof schemas.CaseConsent>;
type Timeline = Static<typeof schemas.Timeline>;
type Withdrawal = Static<typeof schemas.WithdrawalReport>;
type Proposal = Static<typeof schemas.ProposalReport>;

export function consentsText(consents: readonly CaseConsent[]): string {
  return consents.length === 0 ? unknownText : consents.map(consentLine).join('\n');
}

export const unknownText =
  'No consent was found for this customer, account or TPP, not even an ended or deleted one. Check the reference.';

function consentLine(consent: CaseConsent): string {
  const { ConsentId, Status, TppId, TppIssuer, CreationDateTime, StatusUpdateDateTime } = consent;
  const facts = [
    `created ${CreationDateTime}`,
    ...(Status === 'cancelled' ? [`withdrawn ${StatusUpdateDateTime}`] : []),
    ...(consent.DeletedDateTime === undefined ? [] : [`deleted by the TPP ${consent.DeletedDateTime}`]),
    ...(consent.ExpirationDateTime === undefined ? [] : [`expires ${printable(consent.ExpirationDateTime)}`]),
  ];
  const state = consent.DeletedDateTime === undefined ? Status : 'deleted';
  return `${ConsentId}  ${printable(TppId)} (${TppIssuer})  ${state}  ${facts.join(', ')}`;
}

export function timelineText({ Consent, Events, Uses, Searched }: Timeline): string {
  const { Instances, Limit } = Searched;
  const trail = Instances.length === 0 ? 'no segment' : `the segments of ${Instances.join(', ')}`;
  return [
    consentLine(Consent),
    Events.map(eventLine).join('\n'),
    `Requests in the trail (${trail}${Limit === undefined ? '' : `; ${Limit}`}):\n${Uses.map(useLine).join('\n') || '  none'}`,
  ].join('\n');
}

function eventLine({ DateTime, Event: event, By, Reason, Text }: Timeline['Events'][number]): string {
  const by = By === undefined ? '' : ` by ${By}`;
  const why = Reason === undefined ? '' : ` (${Reason})`;
  return `  ${DateTime}  ${event}${by}${why}${Text === undefined ? '' : `: ${printable(Text)}`}`;
}

function useLine({
  Endpoint,
  Answered,
  Attended,
  Refused,
  FirstDateTime,
  LastDateTime,
}: Timeline['Uses'][number]): string {
  return `  ${FirstDateTime} to ${LastDateTime}  ${Endpoint || unserved}: ${count(Answered, 'answer')}, ${Attended} with the customer present, ${count(Refused, 'request')} without data`;
}

/** @param account of whose consents it is, where it is of an account */
export function withdrawalText({ WithdrawnDateTime, Count, Consents = [] }: Withdrawal, account?: string): string {
  const [did, none] = account === undefined ? ['ended', 'gave access'] : ['lost the account', 'had it'];
  const ended = `${count(Count, 'consent')} ${did} at ${WithdrawnDateTime}${Count === 0 ? `: none ${none}` : ''}`;
  return [
    ended,
    ...Consents.map(({ ConsentId, TppId, TppIssuer }) => `${ConsentId}  ${printable(TppId)} (${TppIssuer})`),
  ].join('\n');
}

/** The act that an approval has done. */
export function approvedText({
  Proposal: { Act, Account, TppId },
  Withdrawal,
}: Static<typeof schemas.ApprovalReport>): string {
  if (Withdrawal !== undefined) return withdrawalText(Withdrawal, Account);
  const done = {
    suspension: 'is suspended',
    reinstatement: 'is reinstated',
    registration: 'is registered as proposed',
  };
  return `The TPP ${printable(TppId ?? '')} ${done[Act as keyof typeof done]}.`;
}

export function proposalsText(proposals: readonly Proposal[]): string {
  return proposals.length === 0 ? 'no proposal is waiting for approval' : proposals.map(proposalLine).join('\n');
}

function proposalLine(proposal: Proposal): string {
  const {
    ProposalId,
    Act,
    Customer,
    Account,
    TppId,
    TppIssuer,
    Reason,
    Text,
    Registration,
    ProposedBy,
    ExpirationDateTime,
  } = proposal;
  const subject =
    Customer !== undefined
      ? `customer ${printable(Customer)}`
      : Account !== undefined
        ? `account ${printable(Account)}`
        : `TPP ${printable(TppId ?? '')} (${TppIssuer})`;
  const why = Reason === undefined ? '' : `, ${Reason}${Text === undefined ? '' : `: ${printable(Text)}`}`;
  const change = Registration === undefined ? '' : `, to ${printable(JSON.stringify(Registration))}`;
  return `${ProposalId}  ${Act} of ${subject}${why}${change}; proposed by ${ProposedBy}, expires ${ExpirationDateTime}`;
}

export function proposedText(proposal: Proposal): string {
  return `Nothing has ended yet: another operator must approve it.\n${proposalLine(proposal)}\ncases approve ${proposal.ProposalId}`;
}
