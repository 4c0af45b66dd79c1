import { Type } from 'typebox';
import type { ConsentForm, ConsentPresentation } from '../../endpoint/api-version.js';
import type { ConsentState, ConsentStatus, StatedConsent } from '../../open-banking/consent-state.js';
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

/** OBReadConsentResponse1, "Status". */
const words: Readonly<Record<ConsentStatus, string>> = {
  awaiting: 'AwaitingAuthorisation',
  authorised: 'Authorised',
  rejected: 'Rejected',
  cancelled: 'Revoked',
  expired: 'Authorised',
};

const dateTime = Type.String({ format: 'date-time', examples: ['2026-05-02T09:30:00+00:00'] });

/** OBReadConsentResponse1, "Data". */
const answer = Type.Object({
  ConsentId: ConsentIdSchema,
  CreationDateTime: dateTime,
  Status: Type.String({ enum: [...new Set(Object.values(words))] }),
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
  toData: (consent, state, rules) => ({
    ConsentId: consent.consentId,
    CreationDateTime: formatDateTime(consent.createdAt),
    ...statusOf(consent, state, rules),
    Permissions: consent.permissions,
    ...(consent.expires && { ExpirationDateTime: consent.expires.text }),
    ...(consent.transactionsFrom && { TransactionFromDateTime: consent.transactionsFrom.text }),
    ...(consent.transactionsTo && { TransactionToDateTime: consent.transactionsTo.text }),
  }),
} satisfies ConsentForm;

/** From v3.1.4 on a withdrawn consent still reads `Authorised`, with the time of the authorisation. An expired one always does. */
function statusOf(
  { authorisedAt }: StatedConsent,
  { status, since, isFinal }: ConsentState,
  { statusAfterWithdrawal }: ConsentPresentation,
): { Status: string; StatusUpdateDateTime: string } {
  const stays = statusAfterWithdrawal === 'authorised' && !isFinal;
  const shown = status === 'cancelled' && stays ? 'authorised' : status;
  const isAuthorised = words[shown] === words.authorised;
  const changedAt = isAuthorised && (stays || status === 'expired') && authorisedAt ? authorisedAt : since;
  return { Status: words[shown], StatusUpdateDateTime: formatDateTime(changedAt) };
}
