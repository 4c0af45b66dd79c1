import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CoreAccount } from '../../../packages/core-adapter/core.records.js';
import {
  Cores,
  type UnreachableCoreRule,
  type CustomerAt,
  type FoundAccounts,
  type NamedCustomer,
} from '../../core-banking/cores.js';
import type { AccountAtCore } from '../../core-banking/account-at-core.js';
import type { ReadContext } from '../../core-banking/read-context.js';
import { theBank } from '../../core-banking/reader-queues.js';
import { AuthorisationSettings } from '../listeners/settings.js';

/** An account as its owner knows it, whatever its state or product. */
export interface CustomerAccount extends AccountAtCore, Pick<CoreAccount, 'product' | 'permitted'> {
  readonly name?: string;
  /** The last digits by which the customer distinguishes it from others, e.g. `0010`; absent where it has no number. */
  readonly endsWith?: string;
}

/** Reads the accounts of a signed-in customer from the cores. */
@Injectable()
export class CustomerAccounts {
  constructor(
    private readonly cores: Cores,
    private readonly settings: AuthorisationSettings,
  ) {}

  /**
   * At every core.
   * @param rule absent: the bank's setting
   * @throws CoreError
   */
  find(customer: NamedCustomer, rule?: UnreachableCoreRule): Promise<FoundAccounts<CustomerAccount>> {
    return this.at(this.cores.customerAt(customer), rule);
  }

  /** Like {@link find}, at the cores of these accounts alone. */
  ofCoresOf(accounts: readonly AccountAtCore[], customer: NamedCustomer): Promise<FoundAccounts<CustomerAccount>> {
    const cores = new Set(accounts.map(({ core }) => core));
    return this.at(this.cores.customerAt(customer).filter(({ core }) => cores.has(core)));
  }

  private at(customers: readonly CustomerAt[], rule?: UnreachableCoreRule): Promise<FoundAccounts<CustomerAccount>> {
    const signal = AbortSignal.timeout(this.settings.deadlineMs);
    const asBank: Omit<ReadContext, 'customerRef'> = {
      interactionId: randomUUID(),
      customerPresent: true,
      reader: theBank,
      signal,
    };
    return this.cores.accounts(asBank, customers, asOwnerKnows, rule);
  }
}

function asOwnerKnows(account: CoreAccount, core: string | undefined): CustomerAccount {
  const { ref, product, permitted, description, cardLastFour, accountNumber, iban } = account;
  // Blanks and dashes are not a part of a number.
  const endsWith = (cardLastFour ?? accountNumber ?? iban)?.replace(/[\s-]/g, '').slice(-4);
  return {
    ...(core !== undefined && { core }),
    ref,
    product,
    permitted,
    ...(description !== undefined && { name: description }),
    ...(endsWith !== undefined && { endsWith }),
  };
}
