import { Type } from 'typebox';
import type { ConsentForm } from '../../endpoint/api-version.js';
import type { ConsentStatus } from '../../open-banking/consent-state.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { permissionCodes } from '../../open-banking/permissions.js';
import { ConsentIdSchema } from '../../open-banking/schemas.js';

/** Any ISO 8601 date-time. The format `date-time` means RFC 3339, which would refuse too much. */
const optionalDateTime = (meaning: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], description: `An ISO 8601 date-time. ${meaning}` }),
  );

/** OBReadConsent1 of the standard. `null` counts as absent. */
const request = Type.Object(
  {
    Data: Type.Object(
      {
        Permissions: Type.Array(Type.String(), {
          description: `Permission codes of the standard; one that is named twice counts once. Known: ${permissionCodes.join(', ')}.`,
          examples: [['ReadAccountsDetail', 'ReadBalances', 'ReadParty']],
        }),
        ExpirationDateTime: optionalDateTime('When the consent ends; open-ended when absent.'),
        TransactionFromDateTime: optionalDateTime(
          'Start of the consented history, not in the future; open-ended when absent.',
        ),
        TransactionToDateTime: optionalDateTime(
          'End of the consented history, not in the future; open-ended when absent.',
        ),
      },
      { additionalProperties: false },
    ),
    Risk: Type.Object({}, { additionalProperties: false, description: 'Required, and empty.' }),
  },
  {
    title: 'ReadConsent',
    additionalProperties: false,
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

/** OBReadConsentResponse1, "Status". An expired consent still reads `Authorised`. */
const words: Readonly<Record<ConsentStatus, string>> = {
  awaiting: 'AwaitingAuthorisation',
  authorised: 'Authorised',
  rejected: 'Rejected',
  revoked: 'Revoked',
};

const dateTime = Type.String({ format: 'date-time', examples: ['2026-05-02T09:30:00+00:00'] });

/** OBReadConsentResponse1, "Data". */
const answer = Type.Object({
  ConsentId: ConsentIdSchema,
  CreationDateTime: dateTime,
  Status: Type.String({ enum: Object.values(words) }),
  StatusUpdateDateTime: dateTime,
  Permissions: Type.Array(Type.String({ enum: permissionCodes })),
  ExpirationDateTime: Type.Optional(dateTime),
  TransactionFromDateTime: Type.Optional(dateTime),
  TransactionToDateTime: Type.Optional(dateTime),
});

export const consentForm = {
  request,
  terms: {
    permissions: 'Permissions',
    expires: 'ExpirationDateTime',
    transactionsFrom: 'TransactionFromDateTime',
    transactionsTo: 'TransactionToDateTime',
  },
  answer,
  toData: (consent, { status }) => ({
    ConsentId: consent.consentId,
    CreationDateTime: formatDateTime(consent.createdAt),
    Status: words[status],
    StatusUpdateDateTime: formatDateTime(consent.statusUpdatedAt),
    Permissions: consent.permissions,
    ...(consent.expires && { ExpirationDateTime: consent.expires.text }),
    ...(consent.transactionsFrom && { TransactionFromDateTime: consent.transactionsFrom.text }),
    ...(consent.transactionsTo && { TransactionToDateTime: consent.transactionsTo.text }),
  }),
} satisfies ConsentForm;
