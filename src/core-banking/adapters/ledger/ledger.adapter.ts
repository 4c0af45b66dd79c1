import type {
  CallContext,
  CoreAdapter,
  CoreContext,
  CoreItems,
  CoreRead,
  CoreTransactionsRead,
} from '../../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import type {
  CoreFunds,
  FoundAccount,
  FundsQuestion,
  StatedAccount,
} from '../../../../packages/core-adapter/core.funds.js';
import type { CoreServices } from '../../../../packages/core-adapter/core-services.js';
import type { CoreSettings } from '../../../../packages/core-adapter/core-settings.js';
import type {
  CoreAccount,
  CoreBalance,
  CoreBeneficiary,
  CoreDirectDebit,
  CoreOffer,
  CoreParty,
  CoreProductDetail,
  CoreScheduledPayment,
  CoreStandingOrder,
  CoreStatement,
  TransactionQuery,
} from '../../../../packages/core-adapter/core.records.js';
import { isRow, translateRow, translateRows, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { textOf } from '../../../../packages/core-adapter/row-fields.js';
import { LedgerClient } from './ledger.client.js';
import { toAccount } from './accounts.records.js';
import { toBalance } from './balances.records.js';
import { toBeneficiary } from './beneficiaries.records.js';
import { toDirectDebit } from './direct-debits.records.js';
import { toOffer } from './offers.records.js';
import { toParty } from './party.records.js';
import { isDomestic } from './payees.records.js';
import { toProductDetail } from './product.records.js';
import { toScheduledPayment } from './scheduled-payments.records.js';
import { toStandingOrder } from './standing-orders.records.js';
import { latestStatement } from './statements.records.js';
import { entriesQuery, timeAndIdOf, toTransaction } from './transactions.records.js';

export function createAdapter(settings: CoreSettings, { http }: CoreServices): LedgerAdapter {
  return new LedgerAdapter(new LedgerClient(settings, http));
}

/** Reads the ledger core over HTTP. Each read is one round trip: the ledger sends the account along with its records. */
export class LedgerAdapter implements CoreAdapter {
  readonly name = 'ledger';
  readonly pending = 'id-kept';
  readonly missing = {};

  constructor(private readonly client: LedgerClient) {}

  async accounts(context: CoreContext): Promise<CoreItems<CoreAccount>> {
    const answer = record(await this.client.read(`${clientPath(context)}/accts`, context));
    return translateRows('accts', list(answer, 'accts'), toAccount);
  }

  async account(accountRef: string, context: CoreContext): Promise<CoreAccount> {
    return accountOf(record(await this.client.read(accountPath(accountRef, context), context)));
  }

  balances(accountRef: string, context: CoreContext): Promise<CoreRead<CoreBalance>> {
    return this.list('figures', accountRef, context, toBalance);
  }

  async transactions(accountRef: string, query: TransactionQuery, context: CoreContext): Promise<CoreTransactionsRead> {
    const path = `${accountPath(accountRef, context)}/entries?${entriesQuery(query)}`;
    const answer = record(await this.client.read(path, context));
    const account = accountOf(answer);
    const { more } = answer;
    if (typeof more !== 'boolean') throw new CoreError('bad-record', 'ledger: more is not a yes or no');
    const entries = list(answer, 'entries');
    const read = translateRows('entries', entries, (row) => toTransaction(row, account), timeAndIdOf);
    return { account, ...read, more };
  }

  async party(accountRef: string, context: CoreContext): Promise<CoreRead<CoreParty>> {
    const answer = record(await this.client.read(`${accountPath(accountRef, context)}/person`, context));
    return { account: accountOf(answer), ...translateRows('person', [answer.person], toParty) };
  }

  offers(accountRef: string, context: CoreContext): Promise<CoreRead<CoreOffer>> {
    return this.list('promos', accountRef, context, toOffer);
  }

  scheduledPayments(accountRef: string, context: CoreContext): Promise<CoreRead<CoreScheduledPayment>> {
    return this.list('forwards', accountRef, context, domestic(toScheduledPayment));
  }

  beneficiaries(accountRef: string, context: CoreContext): Promise<CoreRead<CoreBeneficiary>> {
    return this.list('payees', accountRef, context, toBeneficiary);
  }

  async statements(accountRef: string, context: CoreContext): Promise<CoreRead<CoreStatement>> {
    const answer = record(await this.client.read(`${accountPath(accountRef, context)}/cycles`, context));
    const account = accountOf(answer);
    return { account, ...latestStatement(list(answer, 'cycles'), account) };
  }

  directDebits(accountRef: string, context: CoreContext): Promise<CoreRead<CoreDirectDebit>> {
    return this.list('mandates', accountRef, context, toDirectDebit);
  }

  standingOrders(accountRef: string, context: CoreContext): Promise<CoreRead<CoreStandingOrder>> {
    return this.list('orders', accountRef, context, domestic(toStandingOrder));
  }

  product(accountRef: string, context: CoreContext): Promise<CoreRead<CoreProductDetail>> {
    return this.list('terms', accountRef, context, toProductDetail);
  }

  async findPaymentAccount(
    { scheme, identification }: StatedAccount,
    context: CallContext,
  ): Promise<FoundAccount | undefined> {
    const search = new URLSearchParams({ form: scheme === 'iban' ? 'IBAN' : 'UKACC', id: identification });
    const found = list(record(await this.client.read(`/accts?${search.toString()}`, context)), 'found');
    if (found.length > 1) throw new CoreError('bad-record', 'ledger: several accounts have one number');
    return found.map((one) => toFoundAccount(record(one)))[0];
  }

  async fundsAvailable(
    accountRef: string,
    { amount, countOverdraft }: FundsQuestion,
    context: CoreContext,
  ): Promise<CoreFunds> {
    const { minorUnits, currency: ccy } = amount;
    const search = new URLSearchParams({ amt: String(minorUnits), ccy, arranged: countOverdraft ? 'Y' : 'N' });
    const answer = record(
      await this.client.read(`${accountPath(accountRef, context)}/funds?${search.toString()}`, context),
    );
    const { covered } = answer;
    if (typeof covered !== 'boolean') throw new CoreError('bad-record', 'ledger: covered is not a yes or no');
    return { account: accountOf(answer), available: covered };
  }

  async health(signal: AbortSignal): Promise<void> {
    const answer = record(await this.client.read('/ping', { signal }));
    if (answer.up !== true) throw new CoreError('unavailable', 'ledger says that it is not up');
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** The list `name` of an account: the ledger's path and the member of its answer have the same name. */
  private async list<T>(
    name: string,
    accountRef: string,
    context: CoreContext,
    translate: (row: Row, account: CoreAccount) => T | undefined,
  ): Promise<CoreRead<T>> {
    const answer = record(await this.client.read(`${accountPath(accountRef, context)}/${name}`, context));
    const account = accountOf(answer);
    return { account, ...translateRows(name, list(answer, name), (row) => translate(row, account)) };
  }
}

/** Leaves payments to other countries out. */
function domestic<T>(translate: (row: Row) => T): (row: Row) => T | undefined {
  return (row) => (isDomestic(row) ? translate(row) : undefined);
}

function clientPath(context: CoreContext): string {
  return `/clients/${encodeURIComponent(context.customerRef)}`;
}

function accountPath(accountRef: string, context: CoreContext): string {
  return `${clientPath(context)}/accts/${encodeURIComponent(accountRef)}`;
}

function record(answer: unknown): Row {
  if (!isRow(answer)) throw new CoreError('bad-record', 'ledger answered with something other than a record');
  return answer;
}

function list(answer: Row, name: string): readonly unknown[] {
  const rows = answer[name];
  if (!Array.isArray(rows)) throw new CoreError('bad-record', `ledger: ${name} is not a list`);
  return rows;
}

/** The whole read fails without the account, because its state and product decide which records are shown. */
function accountOf(answer: Row): CoreAccount {
  const account = translateRow('acct', answer.acct, toAccount);
  if ('fault' in account) throw new CoreError('bad-record', `ledger: acct: ${account.fault}`);
  return account.item;
}

function toFoundAccount(found: Row): FoundAccount {
  const holders = list(found, 'holders').map((name) => translateRow('holders', { name }, (row) => textOf(row, 'name')));
  const holderNames = holders.flatMap((holder) => ('fault' in holder ? [] : [holder.item]));
  if (holderNames.length < holders.length) throw new CoreError('bad-record', 'ledger: a holder has no name');
  return { account: accountOf(found), holderNames };
}
