import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CoreAccount } from '../../../packages/core-adapter/core.records.js';
import { CoreBanking } from '../../core-banking/core-banking.js';
import type { ReadContext } from '../../core-banking/guarded-reads.js';
import { theBank } from '../../core-banking/reader-queues.js';
import { AuthorisationSettings } from '../listeners/settings.js';

/** An account as its owner knows it, whatever its state or product. */
export interface CustomerAccount extends Pick<CoreAccount, 'ref' | 'product' | 'permitted'> {
  readonly name?: string;
  /** The last digits by which the customer tells it from others, e.g. `0010`; absent where it has no number. */
  readonly endsWith?: string;
}

/** Reads the accounts of a signed-in customer from the core. */
@Injectable()
export class CustomerAccounts {
  constructor(
    private readonly core: CoreBanking,
    private readonly settings: AuthorisationSettings,
  ) {}

  /** @throws CoreError */
  of(customerRef: string): Promise<readonly CustomerAccount[]> {
    const signal = AbortSignal.timeout(this.settings.deadlineMs);
    const asBank: ReadContext = {
      interactionId: randomUUID(),
      customerRef,
      customerPresent: true,
      reader: theBank,
      signal,
    };
    return this.core.accounts(asBank, asOwnerKnows);
  }
}

function asOwnerKnows(account: CoreAccount): CustomerAccount {
  const { ref, product, permitted, description, cardLastFour, accountNumber, iban } = account;
  const endsWith = (cardLastFour ?? accountNumber ?? iban)?.slice(-4);
  return {
    ref,
    product,
    permitted,
    ...(description !== undefined && { name: description }),
    ...(endsWith !== undefined && { endsWith }),
  };
}
