import { Type } from 'typebox';
import type { FundsForm } from '../../endpoint/api-version.js';
import { DebtorAccountSchema, fundsConsentAnswer, fundsConsentData, fundsConsentRequest } from '../shared/funds.js';
import { statusOf, statusSchemas } from './consents.form.js';

/** OBFundsConfirmationConsent1, "DebtorAccount". */
const DebtorAccount = Type.Object(
  {
    ...DebtorAccountSchema.properties,
    Proxy: Type.Optional(
      Type.Object(
        {
          Identification: Type.String({ minLength: 1, maxLength: 2048, examples: ['+44 7700 900000'] }),
          Code: Type.String({ minLength: 1, maxLength: 4, examples: ['MBNO'] }),
          Type: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
        },
        { additionalProperties: false, description: 'Repeated in answers, and not used to find the account.' },
      ),
    ),
  },
  { title: 'DebtorAccount', additionalProperties: false },
);

export const fundsForm: FundsForm = {
  request: fundsConsentRequest(DebtorAccount),
  answer: fundsConsentAnswer(DebtorAccount, statusSchemas),
  toData: (consent, state) => fundsConsentData(consent, statusOf(state)),
};
