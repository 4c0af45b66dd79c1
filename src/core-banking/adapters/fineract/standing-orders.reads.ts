import type { CoreContext, CoreRead } from '../../../../packages/core-adapter/core.adapter.js';
import type { CoreStandingOrder } from '../../../../packages/core-adapter/core.records.js';
import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import { isRow, translateRows } from '../../../../packages/core-adapter/core-rows.js';
import { type FineractAccounts, timeOf } from './accounts.reads.js';
import { pageOf } from './fineract.answers.js';
import type { FineractClient } from './fineract.client.js';
import { toIdentification } from './identifiers.records.js';
import { isStandingOrder, payeeRef, toStandingOrder } from './standing-orders.records.js';
import { mapInPairs } from './map-in-pairs.js';

const instructionsPerCall = 500;
/** Far above any customer's: more are a fault, and would fill the memory. */
const mostInstructions = 10_000;

/** Reads standing orders: the instructions of the account, and their payees from a data table. */
export class FineractStandingOrders {
  /** Days of the tenant's calendar as `YYYY-MM-DD`. */
  private readonly calendar: Intl.DateTimeFormat;

  constructor(
    private readonly client: FineractClient,
    private readonly accounts: FineractAccounts,
    timeZone: string,
  ) {
    this.calendar = new Intl.DateTimeFormat('sv-SE', { timeZone });
  }

  async read(accountRef: string, context: CoreContext): Promise<CoreRead<CoreStandingOrder>> {
    const read = await this.accounts.read(accountRef, context);
    const { account } = read;
    const at = timeOf(read);
    const rows = await this.instructions(accountRef, context);
    // A data table names the payee of each order. The second translation reports the faults of the rows.
    const payees = translateRows('payees', rows, (row) => (isStandingOrder(row) ? payeeRef(row) : undefined)).items;
    const identifiers = new Map(
      await mapInPairs(
        [...new Set(payees)],
        async (ref) => [ref, await this.accounts.identifiers(ref, context)] as const,
      ),
    );
    const view = {
      accountRef,
      currency: account.currency,
      today: { date: this.calendar.format(at) },
      creditor: (ref: string, name: string | undefined) => toIdentification(identifiers.get(ref) ?? {}, name),
    };
    return {
      account,
      ...translateRows('standinginstructions', rows, (row) =>
        isStandingOrder(row) ? toStandingOrder(row, view) : undefined,
      ),
    };
  }

  /**
   * Every instruction of the account, in the order of the ids. Here `offset` counts rows, unlike in the search, so a row
   * that disappears between two calls would hide another. Therefore each call begins at the last row of the call before.
   */
  private async instructions(accountRef: string, context: CoreContext): Promise<unknown[]> {
    const rows: unknown[] = [];
    for (;;) {
      const offset = Math.max(0, rows.length - 1);
      // Without the client the SQL that Fineract builds has no `where` and fails.
      const query = `clientId=${context.customerRef}&fromAccountId=${accountRef}&fromAccountType=2&transferType=1`;
      const { body } = await this.client.read(
        `/v1/standinginstructions?${query}&orderBy=id&sortOrder=ASC&limit=${instructionsPerCall}&offset=${offset}`,
        context,
      );
      const pageItems = pageOf(body, 'pageItems', 'totalFilteredRecords');
      if (rows.length > 0 && !isSameRow(rows.pop(), pageItems[0]))
        throw new CoreError('unavailable', 'Fineract: the standing instructions changed while they were read');
      rows.push(...pageItems);
      if (rows.length > mostInstructions)
        throw new CoreError(
          'bad-record',
          `Fineract: an account has more than ${mostInstructions} standing instructions`,
        );
      if (pageItems.length < instructionsPerCall) return rows;
    }
  }
}

function isSameRow(one: unknown, other: unknown): boolean {
  return isRow(one) && isRow(other) && one.id !== undefined && one.id === other.id;
}
