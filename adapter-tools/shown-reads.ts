import { accountReads, type CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { contextOf } from '../packages/adapter-kit/reads.js';
import { CommandFailed } from '../src/command-line/command.js';

/** The reads that make a resource. */
export const shownReads = ['account', ...accountReads] as const;
export type ShownRead = (typeof shownReads)[number];

export interface PreviewOptions {
  readonly customerRef: string;
  /** Default: each account of the customer. */
  readonly accountRef?: string;
  /** Default: each read of the adapter. */
  readonly read?: ShownRead;
}

/** One read of one account. */
export interface ShownAccount {
  readonly read: ShownRead;
  readonly customerRef: string;
  readonly accountRef: string;
}

/** No account has a record of the read that becomes a resource. */
export interface WithoutRecord {
  readonly without: ShownRead;
}

/** Each read once, of the first account that has a record of it; or that no account has one. */
export async function* eachRead<T>(
  adapter: CoreAdapter,
  { customerRef, accountRef, read }: PreviewOptions,
  show: (shown: ShownAccount) => Promise<T | undefined>,
): AsyncGenerator<T | WithoutRecord> {
  if (read !== undefined && read !== 'account' && adapter[read] === undefined)
    throw new CommandFailed(`the adapter has no read ${read}: ${adapter.missing[read] ?? '`missing` has to say why'}`);
  const refs =
    accountRef === undefined
      ? (await adapter.accounts(contextOf(customerRef))).items.map(({ ref }) => ref)
      : [accountRef];
  const reads = shownReads.filter((one) => one === 'account' || adapter[one] !== undefined);
  for (const wanted of read === undefined ? reads : [read]) {
    let found: T | undefined;
    for (const ref of refs) {
      found = await show({ read: wanted, customerRef, accountRef: ref });
      if (found !== undefined) break;
    }
    yield found ?? { without: wanted };
  }
}
