import type { AccountRead } from '../core-banking/core.adapter.js';
import type {
  CoreAccount,
  CoreBalance,
  CoreBeneficiary,
  CoreDirectDebit,
  CoreParty,
  CoreProductDetail,
  CoreScheduledPayment,
  CoreStandingOrder,
  CoreStatement,
  CoreTransaction,
} from '../core-banking/core.records.js';
import { PublicIds, type PublicIdKind } from '../open-banking/public-ids.js';
import type { Profile } from '../profiles/profile.js';
import { toAccount } from '../resources/accounts/account.mapper.js';
import { toBalance } from '../resources/balances/balance.mapper.js';
import { toBeneficiary } from '../resources/beneficiaries/beneficiary.mapper.js';
import { toDirectDebit } from '../resources/direct-debits/direct-debit.mapper.js';
import { toOffer } from '../resources/offers/offer.mapper.js';
import { toParty } from '../resources/party/party.mapper.js';
import { toProduct } from '../resources/product/product.mapper.js';
import { toScheduledPayment } from '../resources/scheduled-payments/scheduled-payment.mapper.js';
import { toStandingOrder } from '../resources/standing-orders/standing-order.mapper.js';
import { toStatement } from '../resources/statements/statement.mapper.js';
import { toTransaction } from '../resources/transactions/transaction.mapper.js';

const ids = new PublicIds('preview');
const bankTimeZone = 'Europe/London';

/**
 * The Open Banking resource of a record, made by the gateway's own mapper under every permission; `undefined` where
 * the product does not show it. Its ids are not those of any gateway.
 */
export function resourceOf(
  read: AccountRead | 'account',
  record: object,
  account: CoreAccount,
  profile: Profile,
): object | undefined {
  const accountId = ids.of('account', '', account.ref);
  const signed = profile.amounts === 'signed';
  const { product } = account;
  const view = { accountId, product, detail: true, signed };
  const publicId = (kind: PublicIdKind) => ids.within(kind, account.ref);
  switch (read) {
    case 'account':
      return toAccount(record as CoreAccount, { ...view, subTypes: profile.accountSubTypes });
    case 'balances':
      return toBalance(record as CoreBalance, view);
    case 'transactions':
      return toTransaction(record as CoreTransaction, {
        ...view,
        settings: { ...profile, bankTimeZone },
        publicId: publicId('transaction'),
      });
    case 'party':
      return toParty(record as CoreParty, { partyId: ids.of('party', '', (record as CoreParty).ref) });
    case 'offers':
      return toOffer(record, accountId);
    case 'scheduledPayments':
      return toScheduledPayment(record as CoreScheduledPayment, { ...view, publicId: publicId('scheduled-payment') });
    case 'beneficiaries':
      return toBeneficiary(record as CoreBeneficiary, { ...view, publicId: publicId('beneficiary') });
    case 'statements':
      return toStatement(record as CoreStatement, view);
    case 'directDebits':
      return toDirectDebit(record as CoreDirectDebit, { ...view, publicId: publicId('direct-debit') });
    case 'standingOrders':
      return toStandingOrder(record as CoreStandingOrder, { ...view, publicId: publicId('standing-order') });
    case 'product':
      return toProduct(record as CoreProductDetail, accountId);
  }
}
