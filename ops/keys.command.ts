import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { SigningKeyList } from '../src/bank-facing/operator.schema.js';
import { BankClient } from './bank.client.js';
import type { CommandOutput } from '../src/command-line/command.js';
import type { CommandContext } from './command-settings.js';

export function addKeys(program: Command, { operator, answer }: CommandContext): void {
  program
    .command('keys')
    .description('The keys with which the authorization server signs. An operator with the role operate does this.')
    .command('rotate')
    .description('gives every algorithm a new signing key')
    .action(async () => answer(await rotate(new BankClient(operator()))));
}

async function rotate(bank: BankClient): Promise<CommandOutput> {
  const { Keys } = (await bank.call('POST', '/signing-keys/rotate')) as Static<typeof SigningKeyList>;
  return { json: Keys, text: Keys.map(line).join('\n') };
}

function line({
  KeyId,
  Algorithm,
  SignsFromDateTime,
  PublishedUntilDateTime: end,
}: Static<typeof SigningKeyList>['Keys'][number]): string {
  return `${Algorithm}  ${KeyId}  signs from ${SignsFromDateTime}${end === undefined ? '' : `, published until ${end}`}`;
}
