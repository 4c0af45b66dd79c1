import type { ApiVersion } from '../endpoint/api-version.js';
import { accountsForm, singleAccountForm } from '../resources/accounts/accounts.endpoint.js';
import { balancesForm } from '../resources/balances/balances.endpoint.js';
import { beneficiariesForm } from '../resources/beneficiaries/beneficiaries.endpoint.js';
import { directDebitsForm } from '../resources/direct-debits/direct-debits.endpoint.js';
import { offersForm } from '../resources/offers/offers.endpoint.js';
import { partyForm } from '../resources/party/party.endpoint.js';
import { productForm } from '../resources/product/product.endpoint.js';
import { scheduledPaymentsForm } from '../resources/scheduled-payments/scheduled-payments.endpoint.js';
import { standingOrdersForm } from '../resources/standing-orders/standing-orders.endpoint.js';
import { statementsForm } from '../resources/statements/statements.endpoint.js';
import { transactionsForm } from '../resources/transactions/transactions.endpoint.js';
import { consentForm } from './v3.1.consents.js';
import { errorCodes } from './v3.1.errors.js';

export const v3_1: ApiVersion = {
  name: 'v3.1',
  release: '3.1.11',
  basePath: '/open-banking/v3.1/aisp',
  forms: [
    accountsForm,
    singleAccountForm,
    balancesForm,
    transactionsForm,
    partyForm,
    offersForm,
    scheduledPaymentsForm,
    beneficiariesForm,
    statementsForm,
    directDebitsForm,
    standingOrdersForm,
    productForm,
  ],
  consent: consentForm,
  errorCodes,
  errorCodePattern: '^UK\\.[A-Za-z0-9]+\\.[A-Za-z.]+$',
};
