import { Type, type Static, type TObject, type TSchema } from 'typebox';
import type { NamedAccount, StatedConsent } from '../../open-banking/consent-state.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { ConsentIdSchema, CurrencySchema } from '../../open-banking/schemas.js';

/** The schemes by which the bank finds accounts, each with the word of the port for it. */
export const debtorSchemes: Readonly<Record<string, 'sort-code' | 'iban'>> = {
  'UK.OBIE.SortCodeAccountNumber': 'sort-code',
  'UK.OBIE.IBAN': 'iban',
};

/** OBFundsConfirmationConsent1 of v3.1, "DebtorAccount". */
export const DebtorAccountSchema = Type.Object(
  {
    SchemeName: Type.String({
      minLength: 1,
      maxLength: 40,
      description: `An account is found by ${Object.keys(debtorSchemes).join(' or ')}.`,
      examples: ['UK.OBIE.SortCodeAccountNumber'],
    }),
    Identification: Type.String({ minLength: 1, maxLength: 256, examples: ['04000410010117'] }),
    Name: Type.Optional(Type.String({ minLength: 1, maxLength: 350, examples: ['Kate Example'] })),
    SecondaryIdentification: Type.Optional(Type.String({ minLength: 1, maxLength: 34 })),
  },
  { title: 'DebtorAccount', additionalProperties: false },
);

/** With the member of later versions. */
export type DebtorAccount = Static<typeof DebtorAccountSchema> & {
  readonly Proxy?: { readonly Identification: string; readonly Code: string; readonly Type?: string };
};

/** The account that a request names, which has passed the schema of its version. */
export function namedAccount(account: DebtorAccount): NamedAccount {
  const { SchemeName, Identification, Name, SecondaryIdentification, Proxy: proxy } = account;
  return {
    schemeName: SchemeName,
    identification: Identification,
    ...(Name !== undefined && { name: Name }),
    ...(SecondaryIdentification !== undefined && { secondaryIdentification: SecondaryIdentification }),
    ...(proxy && {
      proxy: {
        identification: proxy.Identification,
        code: proxy.Code,
        ...(proxy.Type !== undefined && { type: proxy.Type }),
      },
    }),
  };
}

function debtorWords({
  schemeName,
  identification,
  name,
  secondaryIdentification,
  proxy,
}: NamedAccount): DebtorAccount {
  return {
    SchemeName: schemeName,
    Identification: identification,
    ...(name !== undefined && { Name: name }),
    ...(secondaryIdentification !== undefined && { SecondaryIdentification: secondaryIdentification }),
    ...(proxy && {
      Proxy: {
        Identification: proxy.identification,
        Code: proxy.code,
        ...(proxy.type !== undefined && { Type: proxy.type }),
      },
    }),
  };
}

/** OBFundsConfirmationConsent1 of the standard. `null` counts as an absent date. */
export const fundsConsentRequest = (debtorAccount: TSchema) =>
  Type.Object(
    {
      Data: Type.Object(
        {
          ExpirationDateTime: Type.Optional(
            Type.Unsafe<string | null>({
              type: ['string', 'null'],
              description: 'An ISO 8601 date-time. When the consent ends; open-ended when absent.',
            }),
          ),
          DebtorAccount: debtorAccount,
        },
        { additionalProperties: false },
      ),
    },
    {
      title: 'FundsConfirmationConsent',
      additionalProperties: false,
      examples: [
        {
          Data: {
            DebtorAccount: {
              SchemeName: 'UK.OBIE.SortCodeAccountNumber',
              Identification: '04000410010117',
              Name: 'Kate Example',
            },
          },
        },
      ],
    },
  );

const dateTime = Type.String({ format: 'date-time', examples: ['2026-05-02T09:30:00+00:00'] });

/** OBFundsConfirmationConsentResponse1, "Data". @param status the members in words of the version */
export const fundsConsentAnswer = (debtorAccount: TSchema, status: Readonly<Record<string, TSchema>>): TObject =>
  Type.Object({
    ConsentId: ConsentIdSchema,
    CreationDateTime: dateTime,
    ...status,
    StatusUpdateDateTime: dateTime,
    ExpirationDateTime: Type.Optional(dateTime),
    DebtorAccount: debtorAccount,
  });

/** @param words the members in the words of the version, `Status` and `StatusUpdateDateTime` among them */
export function fundsConsentData(
  { consentId, createdAt, expires, debtor }: StatedConsent,
  words: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return {
    ConsentId: consentId,
    CreationDateTime: formatDateTime(createdAt),
    ...words,
    ...(expires && { ExpirationDateTime: expires.text }),
    ...(debtor && { DebtorAccount: debtorWords(debtor) }),
  };
}

const reference = Type.String({
  minLength: 1,
  maxLength: 35,
  description: 'Refused where an earlier request under the consent was answered with it.',
  examples: ['Purchase 02'],
});
const InstructedAmount = Type.Object(
  {
    Amount: Type.String({ pattern: '^\\d{1,13}$|^\\d{1,13}\\.\\d{1,5}$', examples: ['25.00'] }),
    Currency: { ...CurrencySchema, description: 'ISO 4217: the currency of the account.' },
  },
  { title: 'InstructedAmount', additionalProperties: false },
);

/** OBFundsConfirmation1. */
export const FundsConfirmationSchema = Type.Object(
  {
    Data: Type.Object(
      {
        ConsentId: { ...ConsentIdSchema, description: 'The consent to which the token is bound.' },
        Reference: reference,
        InstructedAmount,
      },
      { additionalProperties: false },
    ),
  },
  {
    title: 'FundsConfirmation',
    additionalProperties: false,
    examples: [
      {
        Data: {
          ConsentId: 'fcc-ea017c28-d999-47d3-b2b7-b686eae57e29',
          Reference: 'Purchase 02',
          InstructedAmount: { Amount: '25.00', Currency: 'GBP' },
        },
      },
    ],
  },
);
export type FundsConfirmation = Static<typeof FundsConfirmationSchema>;

/** OBFundsConfirmationResponse1, "Data". */
export const FundsConfirmationAnswerSchema = Type.Object({
  FundsConfirmationId: Type.String({ minLength: 1, maxLength: 40 }),
  ConsentId: ConsentIdSchema,
  CreationDateTime: dateTime,
  FundsAvailable: Type.Boolean({ description: 'Whether at least this amount can be spent from the account now.' }),
  Reference: reference,
  InstructedAmount,
});

export interface FundsConfirmed {
  readonly confirmationId: string;
  readonly at: Date;
  readonly isAvailable: boolean;
}

export function confirmationData(
  { Data }: FundsConfirmation,
  { confirmationId, at, isAvailable }: FundsConfirmed,
): Static<typeof FundsConfirmationAnswerSchema> {
  return {
    FundsConfirmationId: confirmationId,
    CreationDateTime: formatDateTime(at),
    FundsAvailable: isAvailable,
    ...Data,
  };
}
