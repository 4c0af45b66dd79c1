import { Type } from 'typebox';
import { withdrawalReasons } from '../../trail/withdrawal-reasons.js';
import { BankConsent, clientId, ConsentsQuery, dateTime, printable, ref } from '../bank-facing.schema.js';
import { SearchedPart, ReadsUnderConsent } from '../trail.schema.js';

const text = (description: string) => Type.String({ description });

/** Exactly one of customer, account and tpp. */
const scope = {
  customer: Type.Optional(ref("The core's reference of a customer.")),
  account: Type.Optional(ref("The core's reference of an account.")),
  core: Type.Optional(ref('With `account`: the name of its core in CORES, where it is not FIRST_CORE.')),
  tpp: Type.Optional(clientId('The client id of a TPP.')),
  issuer: Type.Optional(clientId('With `tpp`: the issuer of its tokens.')),
};

export const CasesQuery = Type.Object({ ...scope, ...ConsentsQuery.properties }, { additionalProperties: false });

export const CaseConsent = Type.Object(
  {
    ...BankConsent.properties,
    AuthorisedDateTime: Type.Optional(dateTime('When the customer gave the access.')),
    DeletedDateTime: Type.Optional(dateTime('When its TPP deleted it.')),
  },
  { title: 'CaseConsent' },
);
export const CaseConsents = Type.Object(
  { Consents: Type.Array(CaseConsent), NextCursor: Type.Optional(Type.String()) },
  { title: 'CaseConsents' },
);

export const TimelineEvents = [
  'created',
  'authorised',
  'authenticated',
  'used',
  'refused',
  'account-left',
  'withdrawn',
  'deleted',
  'expired',
  'erased',
  'authorisation-ended',
  'abandoned',
] as const;
export const Timeline = Type.Object(
  {
    Consent: CaseConsent,
    Events: Type.Array(
      Type.Object({
        DateTime: dateTime('When it happened; of `authenticated` and `used`, the last time.'),
        Event: Type.String({ enum: [...TimelineEvents] }),
        By: Type.Optional(
          text(
            'Who did it: `tpp`, `customer` (also where the bank reported it), `bank`, `gateway`, or `operator:<name>`.',
          ),
        ),
        Reason: Type.Optional(text('The code of the withdrawal’s reason.')),
        Text: Type.Optional(text('The reason in the words of the operator.')),
      }),
      {
        description:
          'By time: the events in the database, and those that only the trail of this gateway has, such as earlier authentications.',
      },
    ),
    Uses: Type.Array(ReadsUnderConsent, {
      description: 'The TPP’s requests, as the trail of this gateway knows them.',
    }),
    Searched: SearchedPart,
  },
  { title: 'Timeline' },
);

export const WithdrawalRequest = Type.Object(
  {
    ...scope,
    consent: Type.Optional(ref('Or one consent alone, by its id.')),
    reason: Type.String({ enum: [...withdrawalReasons] }),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        pattern: printable,
        description: 'Needed with `other`. It is kept with the consents, and is in no event and no log.',
      }),
    ),
  },
  { title: 'WithdrawalRequest', additionalProperties: false },
);
export const WithdrawalReport = Type.Object(
  {
    WithdrawnDateTime: dateTime('When the access ended.'),
    Count: Type.Integer({
      description:
        'The number of consents that ended; of a TPP also those that awaited the customer; of an account those that it left.',
    }),
    Consents: Type.Optional(
      Type.Array(Type.Object({ ConsentId: Type.String(), TppId: Type.String(), TppIssuer: Type.String() }), {
        description: 'These consents; absent for a TPP.',
      }),
    ),
  },
  { title: 'WithdrawalReport' },
);

export const ProposalReport = Type.Object(
  {
    ProposalId: Type.String(),
    Act: Type.String({ enum: ['withdrawal', 'suspension', 'reinstatement', 'registration'] }),
    Customer: Type.Optional(text('The customer whose consents would end.')),
    Account: Type.Optional(text('Or the account.')),
    Core: Type.Optional(text('As consents record it.')),
    TppId: Type.Optional(text('Or the TPP; every act but a withdrawal has one.')),
    TppIssuer: Type.Optional(Type.String()),
    Reason: Type.Optional(Type.String({ enum: [...withdrawalReasons] })),
    Text: Type.Optional(Type.String()),
    Registration: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'The TPP as it would be registered.' }),
    ),
    ProposedBy: text('`operator:<name>`: every other operator with the role may approve it.'),
    ProposedDateTime: dateTime('When it was proposed.'),
    ExpirationDateTime: dateTime('From then on it cannot be approved.'),
  },
  { title: 'Proposal' },
);
export const ProposalReports = Type.Object({ Proposals: Type.Array(ProposalReport) }, { title: 'Proposals' });

export const ApprovalReport = Type.Object(
  { Proposal: ProposalReport, Withdrawal: Type.Optional(WithdrawalReport) },
  { title: 'ApprovalReport' },
);
