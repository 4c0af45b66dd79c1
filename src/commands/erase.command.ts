import { BankClient } from './bank.client.js';
import { CommandFailed, UsageError, type CommandOutput, type CommandSettings } from './command.js';
import { workOnDatabase } from './work-on-database.js';

/**
 * `erase customer REF`: erases the customer, the accounts and the names from every consent that the customer gave or
 * refused. Refused while one of them gives access. With `--withdraw` the gateway withdraws these first, as when the bank
 * reports it: in its trail before the change.
 */
export async function eraseCommand(
  [kind, customerRef, ...more]: readonly string[],
  withdraw: boolean,
  { gateway, openDatabase, clock }: Pick<CommandSettings, 'gateway' | 'openDatabase' | 'clock'>,
): Promise<CommandOutput> {
  if (kind !== 'customer' || !customerRef || more.length > 0) throw new UsageError();
  const bank = withdraw ? new BankClient(gateway()) : undefined;
  // Loaded only for this command: the database's client is large.
  const { countOfCustomer, eraseCustomer, livingConsents } = await import('../consents/erasure.store.js');
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
        `${erased} consents were erased, and ${left} name the customer that were given or changed meanwhile: run this again`,
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
