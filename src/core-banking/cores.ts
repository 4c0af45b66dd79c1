import { payeeNumber } from '../../packages/core-adapter/account-numbers.js';
import { CoreError, isCoreError } from '../../packages/core-adapter/core-error.js';
import type { AccountRead } from '../../packages/core-adapter/core.adapter.js';
import type { FoundAccount, FundsQuestion, StatedAccount } from '../../packages/core-adapter/core.funds.js';
import type { CoreAccount } from '../../packages/core-adapter/core.records.js';
import type { AccountAtCore } from './account-at-core.js';
import { FailedRead } from './found-records.js';
import type {
  CoreAccountHandle,
  CoreBanking,
  FundsAnswer,
  QueryOf,
  RecordsOfAccount,
  RecordSource,
} from './core-banking.js';
import { TooManyReads } from './guarded-reads.js';
import type { ReadContext, TppReadContext } from './read-context.js';

/** A core with its own queues, connections, circuits and capabilities. */
export interface GuardedCore {
  /** As operators name it. */
  readonly name: string;
  /** See `CoreConfig.recordedAs`. */
  readonly recordedAs?: string | undefined;
  readonly deadlineMs: number;
  readonly banking: CoreBanking;
}

/** The customer at one core, by the name with which the core is recorded. */
export interface CustomerAt {
  readonly core: string | undefined;
  readonly customerRef: string;
}

/** A customer as the bank's sign-on or its authorization server names one. */
export interface NamedCustomer {
  /** The customer's reference at every core that `customerRefs` does not name. */
  readonly customerRef: string;
  /** By the name of the core in `CORES`. */
  readonly customerRefs?: Readonly<Record<string, string>> | undefined;
}

export interface FoundAccounts<Out> {
  readonly items: readonly Out[];
  /** The names of the cores whose accounts are missing, because they could not be read. */
  readonly unreachable: readonly string[];
}

/** The account that a TPP named, and the core that has it, as {@link AccountAtCore} names it. */
export interface PaymentAccount extends FoundAccount {
  readonly core: string | undefined;
}

/** If one core could not be read: refuse the whole list, or answer without its accounts. */
export type UnreachableCoreRule = 'refuse' | 'partial';

/**
 * The cores of the bank. An account belongs to one core, and a read of the account asks that core alone: an unreachable
 * core touches only its own accounts. Throws as {@link CoreBanking} does.
 */
export class Cores {
  private readonly byRecord: ReadonlyMap<string | undefined, GuardedCore>;

  constructor(
    readonly all: readonly GuardedCore[],
    private readonly rule: UnreachableCoreRule,
    private readonly countLeftOut: (core: string) => void,
  ) {
    this.byRecord = new Map(all.map((core) => [core.recordedAs, core]));
  }

  /** The account at the core of this name; absent: a single core or `FIRST_CORE`. `undefined`: no such core. */
  accountAt(name: string | undefined, ref: string): AccountAtCore | undefined {
    const core = name === undefined ? this.byRecord.get(undefined) : this.all.find((one) => one.name === name);
    return core && { core: core.recordedAs, ref };
  }

  /** The names in these references that are not a core's. */
  unknownIn(customerRefs: Readonly<Record<string, string>>): readonly string[] {
    return Object.keys(customerRefs).filter((name) => this.all.every((core) => core.name !== name));
  }

  /**
   * The customer at every core.
   * @throws Error for a reference at a core that does not exist: its name may be misspelt, and the customer's other reference
   * may be another person's at the core that was meant
   */
  customerAt({ customerRef, customerRefs = {} }: NamedCustomer): readonly CustomerAt[] {
    if (this.unknownIn(customerRefs).length > 0) throw new Error('the customer has a reference at an unknown core');
    return this.all.map(({ name, recordedAs }) => ({
      core: recordedAs,
      customerRef: (Object.hasOwn(customerRefs, name) ? customerRefs[name] : undefined) ?? customerRef,
    }));
  }

  /** The time that a request has which asks these cores: the longest that one of them has. */
  deadlineMs(cores: Iterable<string | undefined> = this.byRecord.keys()): number {
    let longest = 0;
    for (const core of cores) longest = Math.max(longest, this.byRecord.get(core)?.deadlineMs ?? 0);
    return longest;
  }

  /** The customer's accounts at these cores, which are read side by side. With `partial` at least one core has answered. */
  async accounts<Out>(
    shared: Omit<ReadContext, 'customerRef'>,
    customers: readonly CustomerAt[],
    translate: (account: CoreAccount, core: string | undefined) => Out | undefined,
    rule = this.rule,
  ): Promise<FoundAccounts<Out>> {
    const lists = await Promise.all(
      customers.map(async ({ core, customerRef }) => {
        try {
          const found = await this.at(core, shared)
            .accounts({ ...shared, customerRef })
            .catch(this.naming(core));
          return { items: found.map((account) => translate(account, core)) };
        } catch (error) {
          // The TPP's full queue at a slow core is a fault of that core for the TPP, like a late answer.
          if (rule === 'refuse' || !(isCoreError(error) || error instanceof TooManyReads)) throw error;
          return { items: [], error, name: this.nameOf(core) };
        }
      }),
    );
    const unreachable = lists.filter((list) => list.error !== undefined);
    if (unreachable[0] !== undefined && unreachable.length === lists.length) throw unreachable[0].error;
    for (const { name } of unreachable) this.countLeftOut(name);
    return { items: lists.flatMap(({ items }) => items), unreachable: unreachable.map(({ name }) => name) };
  }

  async account(handle: CoreAccountHandle): Promise<CoreAccount> {
    return this.at(handle.core, handle.context).account(handle).catch(this.naming(handle.core));
  }

  async read<Read extends AccountRead>(
    source: RecordSource<Read>,
    handle: CoreAccountHandle,
    ...query: QueryOf<Read>
  ): Promise<RecordsOfAccount<Read>> {
    return await this.at(handle.core, handle.context)
      .read(source, handle, ...query)
      .catch(this.naming(handle.core));
  }

  /**
   * The account with this number that `accepts` takes. Every core is asked, and the answer waits for the last of them: so
   * neither its time nor a core's failure shows whether there is an account that `accepts` refuses.
   *
   * @param given its number may have blanks, dashes and small letters
   * @param accepts whether the TPP may have the account: by its product, and by the names of its holders
   * @returns `undefined` also for a number that is not of its scheme: then no core is asked
   * @throws CoreError where none is accepted and a core could not answer, and where two cores have one
   */
  async findPaymentAccount(
    given: StatedAccount,
    context: TppReadContext,
    accepts: (found: FoundAccount) => boolean,
  ): Promise<PaymentAccount | undefined> {
    const identification = payeeNumber(given.scheme, given.identification);
    if (identification === undefined) return undefined;
    const stated = { ...given, identification };
    const answers = await Promise.allSettled(
      this.all.map(async ({ recordedAs: core }) => {
        const found = await this.at(core, context).findPaymentAccount(stated, context).catch(this.naming(core));
        return found !== undefined && accepts(found) ? { ...found, core } : undefined;
      }),
    );
    const accepted = answers.flatMap((answer) => (answer.status === 'fulfilled' ? (answer.value ?? []) : []));
    if (accepted.length > 1) throw new CoreError('bad-record', 'two cores have an account with the same number');
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (accepted.length === 0 && failed !== undefined) throw failed.reason;
    return accepted[0];
  }

  /** Whether at least the amount can be spent from the account. The products of the handle are those with funds checks. */
  async fundsAvailable(handle: CoreAccountHandle, question: FundsQuestion): Promise<FundsAnswer> {
    return this.at(handle.core, handle.context).fundsAvailable(handle, question).catch(this.naming(handle.core));
  }

  /** Gives the failure of a read the core's name. */
  private naming(core: string | undefined): (error: unknown) => never {
    return (error) => {
      throw isCoreError(error) ? new FailedRead(this.nameOf(core), error) : error;
    };
  }

  private nameOf(core: string | undefined): string {
    return this.byRecord.get(core)?.name ?? core ?? 'unknown';
  }

  private at(core: string | undefined, { tally }: Pick<ReadContext, 'tally'>): CoreBanking {
    const found = this.byRecord.get(core);
    if (found !== undefined) {
      if (tally !== undefined) tally.core = tally.core === '' ? found.name : `${tally.core},${found.name}`;
      return found.banking;
    }
    // The settings were changed after the consent was authorised.
    throw new FailedRead(
      this.nameOf(core),
      new CoreError(
        'unavailable',
        core === undefined
          ? 'the consent names no core for the account: FIRST_CORE must name the core that was the only one'
          : `CORES does not name the core "${core}", which the consent names for the account`,
      ),
    );
  }
}
