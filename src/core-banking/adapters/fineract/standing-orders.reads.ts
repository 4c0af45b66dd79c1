import type { CoreContext, CoreRead } from '../../../../packages/core-adapter/core.adapter.js';
import type { CoreStandingOrder } from '../../../../packages/core-adapter/core.records.js';
import { translateRows } from '../../../../packages/core-adapter/core-rows.js';
import { type FineractAccounts, timeOf } from './accounts.reads.js';
import { pageOf } from './fineract.answers.js';
import type { FineractClient } from './fineract.client.js';
import { toIdentification } from './identifiers.records.js';
import { isStandingOrder, payeeRef, toStandingOrder } from './standing-orders.records.js';
import { mapInPairs } from './map-in-pairs.js';

const instructionsPerCall = 500;

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

  /** Every instruction of the account. Here `offset` counts rows, unlike in the search. */
  private async instructions(accountRef: string, context: CoreContext): Promise<unknown[]> {
    const rows: unknown[] = [];
    for (;;) {
      // Without the client the SQL that Fineract builds has no `where` and fails.
      const query = `clientId=${context.customerRef}&fromAccountId=${accountRef}&fromAccountType=2&transferType=1`;
      const { body } = await this.client.read(
        `/v1/standinginstructions?${query}&limit=${instructionsPerCall}&offset=${rows.length}`,
        context,
      );
      const pageItems = pageOf(body, 'pageItems', 'totalFilteredRecords');
      rows.push(...pageItems);
      if (pageItems.length < instructionsPerCall) return rows;
    }
  }
}
