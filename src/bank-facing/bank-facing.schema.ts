import { Type, type TSchema } from 'typebox';
import { consentKinds, consentStatuses, statusReasons } from '../open-banking/consent-state.js';
import { withdrawalReasons } from '../trail/withdrawal-reasons.js';
import { bankErrorSchema } from './bank-errors.js';

// No control characters and no lone surrogates: no core has them in a reference, and the database cannot store them all.
export const printable = '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]+$';
export const ref = (description: string) => Type.String({ maxLength: 200, pattern: printable, description });
export const clientId = (description: string) => Type.String({ maxLength: 1_000, pattern: printable, description });
export const dateTime = (description: string) => Type.String({ format: 'date-time', description });

const customerRef = ref("The core's reference of the customer.");
/** Any ISO 8601 date-time. The format `date-time` means RFC 3339, which would refuse too much. */
const authenticatedAt = Type.String({
  description:
    'An ISO 8601 date-time. When the customer passed strong customer authentication: the window is counted from here, ' +
    'not from this request.',
});

const AccountAtCore = Type.Object(
  { core: ref('The name of the core in CORES.'), ref: ref('Its reference of an account.') },
  { additionalProperties: false, description: 'With several cores: an account of another core than FIRST_CORE.' },
);

const accountOf = (description: string) => Type.Union([ref(description), AccountAtCore]);

export const Authorisation = Type.Object(
  {
    customerRef,
    displayName: Type.Optional(
      Type.String({
        maxLength: 350,
        pattern: printable,
        description: 'The name by which the bank knows the customer.',
      }),
    ),
    customerRefs: Type.Optional(
      Type.Record(Type.String(), ref('The reference there.'), {
        description:
          "With several cores: the customer's references, by the name of the core in CORES. At every other core it is `customerRef`.",
      }),
    ),
    accounts: Type.Array(accountOf("The core's reference of an account."), {
      minItems: 1,
      maxItems: 1_000,
      description: 'The accounts that the customer chose, each listed by its core for this customer.',
    }),
    authenticatedAt,
  },
  { title: 'Authorisation', additionalProperties: false },
);

export const AccountRemoval = Type.Object(
  {
    account: accountOf("The core's reference of the account."),
    customerRef: Type.Optional(
      ref(
        'Only from the consents that this customer gave, such as one of two holders. Without it, from every consent.',
      ),
    ),
    // The others are an operator's alone: `other` needs words.
    reason: Type.String({ enum: withdrawalReasons.filter((reason) => reason !== 'other') }),
  },
  { title: 'AccountRemoval', additionalProperties: false },
);

export const Reauthentication = Type.Object(
  { customerRef, authenticatedAt },
  { title: 'Reauthentication', additionalProperties: false },
);

const coreRef = Type.String({ description: "The core's reference." });
const coreName = Type.Optional(
  Type.String({ description: 'The name of its core in CORES; absent for a single core and FIRST_CORE.' }),
);
const productName = Type.String({ description: 'Its product, by the name in the profile.' });

/** A consent for the bank: with the bank's references in addition to the ids that TPPs see. */
export const BankConsent = Type.Object(
  {
    ConsentId: Type.String(),
    Kind: Type.String({ enum: consentKinds, description: 'What it is for.' }),
    Status: Type.String({ enum: consentStatuses }),
    StatusReason: Type.Optional(Type.String({ enum: statusReasons, description: 'Why it was rejected or cancelled.' })),
    TppId: Type.String({
      description:
        'Client id of the TPP that created it. Together with `TppIssuer` it names the only TPP that may use it.',
    }),
    TppIssuer: Type.String({
      description:
        "The issuer of that TPP's tokens: its configured name, or `embedded` for the embedded authorization server. An " +
        'authorization server asks the customer only for consents of TPPs that have its tokens.',
    }),
    Permissions: Type.Array(Type.String()),
    CreationDateTime: dateTime('When the TPP created it.'),
    StatusUpdateDateTime: dateTime('When its status last changed.'),
    ExpirationDateTime: Type.Optional(dateTime('As the TPP stated it; absent is open-ended.')),
    TransactionFromDateTime: Type.Optional(dateTime('Start of the consented history; absent is open-ended.')),
    TransactionToDateTime: Type.Optional(dateTime('End of the consented history; absent is open-ended.')),
    DebtorAccount: Type.Optional(
      Type.Object(
        { ref: coreRef, core: coreName, Product: productName },
        {
          description:
            'For confirmation of funds: the account that the TPP named, the only one that can be authorised.',
        },
      ),
    ),
    CustomerRef: Type.Optional(
      Type.String({
        description:
          'The customer who authorised it. This member and the following ones are present after the authorisation.',
      }),
    ),
    LastAuthenticatedDateTime: Type.Optional(dateTime("The customer's last authentication for this consent.")),
    Accounts: Type.Optional(
      Type.Array(
        Type.Object({
          ref: coreRef,
          core: coreName,
          customerRef: Type.Optional(
            Type.String({ description: "That core's reference of the customer, where it is not `CustomerRef`." }),
          ),
          AccountId: Type.String({ description: 'What TPPs see.' }),
          Product: productName,
        }),
      ),
    ),
  },
  { title: 'Consent' },
);

export const BankConsents = Type.Object(
  {
    Consents: Type.Array(BankConsent),
    NextCursor: Type.Optional(
      Type.String({ description: 'As `cursor` it asks for the next page, within a day; absent on the last.' }),
    ),
  },
  { title: 'Consents' },
);

/** Consents per page, unless the caller states it. */
export const defaultLimit = 100;

export const ConsentsQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        default: defaultLimit,
        description: `Consents per page, by default ${defaultLimit}.`,
      }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 500, pattern: '^[\\w-]+$', description: '`NextCursor` of the page before.' }),
    ),
  },
  { additionalProperties: false },
);

export const Live = Type.Object({ status: Type.Literal('live') }, { description: 'The process runs.' });
export const Ready = Type.Object({ status: Type.Literal('ready') }, { description: 'Requests can be answered now.' });
export const Serving = Type.Object({ status: Type.Literal('serving') }, { description: 'Reads can be answered now.' });
export const NotReady = Type.Object(
  {
    status: Type.Literal('not ready'),
    faults: Type.Array(Type.String({ description: 'A part that is unreachable or failed.' })),
    serving: Type.Optional(
      Type.Boolean({
        description: 'Whether the gateway still answers reads of account information: see /health/serving.',
      }),
    ),
  },
  { description: 'A part that the answers need is unreachable, or the gateway stops: `faults` names it.' },
);

/** An answer with its own description, so that its schema stays one and the same. */
export function answer(description: string, schema: TSchema): object {
  return { description, content: { 'application/json': { schema } } };
}

/** Every answer that is not a success, for the document: the error responder writes it. */
export const readErrors = {
  400: answer(
    'No such consent, or its status or a field of the request does not allow this. Nothing was changed.',
    bankErrorSchema,
  ),
  401: Type.Null({ description: 'Not the credential of the bank. Without a body.' }),
  429: answer(
    'The credential is wrong, and too many wrong ones came from this address: retry after as many seconds as Retry-After says.',
    bankErrorSchema,
  ),
  500: answer('A fault of the gateway.', bankErrorSchema),
  503: answer(
    'The core or the database is unreachable: retry after as many seconds as Retry-After says.',
    bankErrorSchema,
  ),
};
export const reportErrors = {
  ...readErrors,
  413: answer('The body is larger than 64 KiB.', bankErrorSchema),
  415: answer('The body is not application/json.', bankErrorSchema),
};
