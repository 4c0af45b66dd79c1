import type { Command } from 'commander';
import { BankClient } from './bank.client.js';
import { CommandFailed, UsageError, type CommandOutput } from '../src/command-line/command.js';
import type { CommandContext, CommandSettings } from './command-settings.js';
import { recorded } from './recorded.js';
import { workOnDatabase } from './work-on-database.js';

export function addErase(program: Command, context: CommandContext): void {
  program
    .command('erase')
    .description('The customers’ data. Works on the database as the maintenance role.')
    .command('customer')
    .argument('<REF>', 'the core’s reference of the customer')
    .description('as the maintenance role: erases a customer from all consents; refused while one gives access')
    .option(
      '--withdraw',
      'the gateway withdraws these first; it needs the settings of its bank port, with BANK_CREDENTIAL',
    )
    .action(async (customerRef: string, { withdraw = false }: { readonly withdraw?: boolean }) =>
      context.answer(
        await recorded(context, { command: 'erase customer', customerRef }, () =>
          eraseCommand(customerRef, withdraw, context),
        ),
      ),
    );
}

/**
 * `erase customer REF`: erases the customer, the accounts and the names from every consent that the customer gave or
 * refused. Refused while one of them gives access. With `--withdraw` the gateway withdraws these first, as when the bank
 * reports it: in its trail before the change.
 */
async function eraseCommand(
  customerRef: string,
  withdraw: boolean,
  { gateway, openDatabase, clock }: Pick<CommandSettings, 'gateway' | 'openDatabase' | 'clock'>,
): Promise<CommandOutput> {
  if (customerRef === '') throw new UsageError('REF is empty');
  const bank = withdraw ? new BankClient(gateway()) : undefined;
  // Loaded only for this command: the database's client is large.
  const { countOfCustomer, eraseCustomer, livingConsents } = await import('../src/consents/erasure.store.js');
  return workOnDatabase(openDatabase, async (prisma) => {
    const now = new Date(clock.nowMs());
    const living = await livingConsents(prisma, customerRef, now);
    if (living.length > 0 && bank === undefined)
      throw new CommandFailed(
        `${living.length} consents of the customer give access, and nothing was erased: withdraw them first, or add --withdraw`,
      );
    for (const consentId of living) await bank?.call('POST', `/consents/${encodeURIComponent(consentId)}/revoke`, {});
    const erased = await eraseCustomer(prisma, customerRef, now);
    const left = await countOfCustomer(prisma, customerRef);
    if (left > 0)
      throw new CommandFailed(
        `${erased} consents were erased; meanwhile ${left} consents of the customer were given or changed: run this again`,
      );
    return { json: { withdrawn: living, erased }, text: said(living, erased) };
  });
}

function said(withdrawn: readonly string[], erased: number): string {
  const ended = withdrawn.length === 0 ? '' : `${withdrawn.length} consents were withdrawn (${withdrawn.join(', ')}). `;
  return erased === 0
    ? 'no consent names the customer: nothing was left to erase'
    : `${ended}The customer, the accounts and the names of ${erased} consents were erased`;
}
