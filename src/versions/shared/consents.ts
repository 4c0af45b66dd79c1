import { Type, type TObject, type TSchema } from 'typebox';
import type { ConsentTerm } from '../../endpoint/api-version.js';
import type { StatedConsent } from '../../open-banking/consent-state.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { permissionCodes } from '../../open-banking/permissions.js';
import { ConsentIdSchema } from '../../open-banking/schemas.js';

/** Any ISO 8601 date-time. The format `date-time` means RFC 3339, which would refuse too much. */
const optionalDateTime = (meaning: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], description: `An ISO 8601 date-time. ${meaning}` }),
  );

const asked = Type.Object(
  {
    Permissions: Type.Array(Type.String(), {
      description: `Permission codes of the standard; one that is named twice counts once. Known: ${permissionCodes.join(', ')}.`,
      examples: [['ReadAccountsDetail', 'ReadBalances', 'ReadParty']],
    }),
    ExpirationDateTime: optionalDateTime('When the consent ends; open-ended when absent.'),
    TransactionFromDateTime: optionalDateTime(
      'Start of the consented history, not in the future; open-ended when absent.',
    ),
    TransactionToDateTime: optionalDateTime('End of the consented history, not in the future; open-ended when absent.'),
  },
  { additionalProperties: false },
);

/**
 * OBReadConsent1 of the standard. `null` counts as absent.
 * @param closed the request may have no member besides `Data` and `Risk`
 */
export const consentRequest = (closed: boolean) =>
  Type.Object(
    { Data: asked, Risk: Type.Object({}, { additionalProperties: false, description: 'Required, and empty.' }) },
    {
      title: 'ReadConsent',
      ...(closed && { additionalProperties: false }),
      examples: [
        {
          Data: {
            Permissions: [
              'ReadAccountsDetail',
              'ReadBalances',
              'ReadParty',
              'ReadTransactionsDetail',
              'ReadTransactionsCredits',
              'ReadTransactionsDebits',
            ],
            TransactionFromDateTime: '2026-01-01T00:00:00+00:00',
          },
          Risk: {},
        },
      ],
    },
  );

export const consentTerms: Readonly<Record<ConsentTerm, string>> = {
  permissions: 'Permissions',
  expires: 'ExpirationDateTime',
  transactionsFrom: 'TransactionFromDateTime',
  transactionsTo: 'TransactionToDateTime',
};

const dateTime = Type.String({ format: 'date-time', examples: ['2026-05-02T09:30:00+00:00'] });

/** OBReadConsentResponse1, "Data". @param members with words of the version, `Status` among them */
export const consentAnswer = (members: Readonly<Record<string, TSchema>>): TObject =>
  Type.Object({
    ConsentId: ConsentIdSchema,
    CreationDateTime: dateTime,
    ...members,
    StatusUpdateDateTime: dateTime,
    Permissions: Type.Array(Type.String({ enum: permissionCodes })),
    ExpirationDateTime: Type.Optional(dateTime),
    TransactionFromDateTime: Type.Optional(dateTime),
    TransactionToDateTime: Type.Optional(dateTime),
  });

/** @param words the members in the words of the version, `Status` and `StatusUpdateDateTime` among them */
export function consentData(consent: StatedConsent, words: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ConsentId: consent.consentId,
    CreationDateTime: formatDateTime(consent.createdAt),
    ...words,
    Permissions: consent.permissions,
    ...(consent.expires && { ExpirationDateTime: consent.expires.text }),
    ...(consent.transactionsFrom && { TransactionFromDateTime: consent.transactionsFrom.text }),
    ...(consent.transactionsTo && { TransactionToDateTime: consent.transactionsTo.text }),
  };
}
