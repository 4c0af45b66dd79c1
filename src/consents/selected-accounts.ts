import { accountKey, type AccountAtCore } from '../core-banking/account-at-core.js';
import type { Cores, NamedCustomer } from '../core-banking/cores.js';
import { theBank } from '../core-banking/reader-queues.js';
import { OpenBankingError } from '../open-banking/errors.js';
import type { CoreContext } from '../../packages/core-adapter/core.adapter.js';
import type { CoreAccount } from '../../packages/core-adapter/core.records.js';
import type { SelectedAccount } from './consent.js';

/** The customer whom the bank reports, and the accounts that the customer selected. */
export interface ReportedAccounts extends NamedCustomer {
  readonly accounts: readonly AccountAtCore[];
}

/**
 * The reported accounts, each once, as their cores list them for the customer. Asks no other core.
 * @throws OpenBankingError for an account that its core does not list
 */
export async function selectedAccounts(
  cores: Cores,
  reported: ReportedAccounts,
  context: Pick<CoreContext, 'interactionId' | 'signal'>,
): Promise<readonly SelectedAccount[]> {
  const reportedCores = new Set(reported.accounts.map(({ core }) => core));
  const customers = cores.customerAt(reported).filter(({ core }) => reportedCores.has(core));
  const refs = new Map(customers.map(({ core, customerRef }) => [core, customerRef]));
  const toSelected = ({ ref, product }: CoreAccount, core: string | undefined): SelectedAccount => {
    const customerRef = refs.get(core);
    return {
      ref,
      product,
      ...(core !== undefined && { core }),
      ...(customerRef !== undefined && customerRef !== reported.customerRef && { customerRef }),
    };
  };
  const { items } = await cores.accounts(
    { ...context, customerPresent: true, reader: theBank },
    customers,
    toSelected,
    'refuse',
  );
  const listed = new Map(items.map((account) => [accountKey(account), account]));
  const selected = new Set<SelectedAccount>();
  reported.accounts.forEach((chosen, index) => {
    const account = listed.get(accountKey(chosen));
    if (account !== undefined) return void selected.add(account);
    throw new OpenBankingError('field-invalid', {
      message: 'The core does not list this account for the customer.',
      path: `accounts[${index}]`,
    });
  });
  return [...selected];
}

/** @param named the account of a consent for confirmation of funds */
export function refuseOthersThan(named: AccountAtCore | undefined, reported: readonly AccountAtCore[]): void {
  if (named !== undefined && reported.every((account) => accountKey(account) === accountKey(named))) return;
  throw new OpenBankingError('field-invalid', {
    message: 'The consent is for confirmation of funds: its account is the one that the TPP named, and no other.',
    path: 'accounts',
  });
}
