import type { ApiVersion } from '../../endpoint/api-version.js';
import { accountsForm, singleAccountForm } from './accounts.form.js';
import { balancesForm } from './balances.form.js';
import { beneficiariesForm } from './beneficiaries.form.js';
import { directDebitsForm } from './direct-debits.form.js';
import { offersForm } from '../shared/offers.form.js';
import { partyForm } from './party.form.js';
import { productForm } from '../shared/product.form.js';
import { scheduledPaymentsForm } from './scheduled-payments.form.js';
import { standingOrdersForm } from './standing-orders.form.js';
import { statementsForm } from '../shared/statements.form.js';
import { transactionsForm } from './transactions.form.js';
import { consentForm } from './consents.form.js';
import { errorForm } from './errors.form.js';
import { fundsForm } from './funds.form.js';

export const v3_1: ApiVersion<'v3.1'> = {
  name: 'v3.1',
  release: '3.1.11',
  rootPath: '/open-banking/v3.1',
  basePath: '/open-banking/v3.1/aisp',
  fundsPath: '/open-banking/v3.1/cbpii',
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
  funds: fundsForm,
  // A withdrawal leaves the status as it is from 3.1.4 on: the consent is not updated.
  typesOfWithdrawal: ['consent-authorization-revoked'],
  errors: errorForm,
};
