import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { AddedOperator, ListedOperator, Operators } from '../src/bank-facing/operators/operator.routes.js';
import type { CommandOutput } from '../src/command-line/command.js';
import { BankClient } from './bank.client.js';
import type { CommandContext } from './command-settings.js';

export function addOperators(program: Command, { operator, answer }: CommandContext): void {
  const operators = program
    .command('operators')
    .description(
      'The bank’s operators and their roles. An admin does this, with the credential in OPERATOR_CREDENTIAL. The first admin ' +
        'is added with BANK_CREDENTIAL, which can add no other operator.',
    );
  operators
    .command('list')
    .description('the operators, their roles, and who added them')
    .action(async () => answer(outputOf(await new BankClient(operator()).call('GET', '/operators'))));
  operators
    .command('add')
    .argument('<NAME>', 'lower-case letters, digits, `-`, `_` and `.`')
    .description('adds an operator and shows the credential once')
    .requiredOption('--role <ROLE>', 'read, withdraw, operate or admin: each role includes those before it')
    .action(async (name: string, { role }: { readonly role: string }) =>
      answer(await add(name, role, new BankClient(operator()))),
    );
  operators
    .command('remove')
    .argument('<NAME>')
    .description('removes an operator, whose credential is refused from then on')
    .action(async (name: string) =>
      answer(outputOf(await new BankClient(operator()).call('DELETE', `/operators/${encodeURIComponent(name)}`))),
    );
}

async function add(name: string, role: string, bank: BankClient): Promise<CommandOutput> {
  const added = (await bank.call('POST', '/operators', { name, role })) as Static<typeof AddedOperator>;
  const text = `${line(added)}\ncredential: ${added.Credential}\nKeep it now: it cannot be shown again.`;
  return { json: added, text };
}

function outputOf(body: unknown): CommandOutput {
  const { Operators: listed } = body as Static<typeof Operators>;
  return { json: listed, text: listed.length === 0 ? 'there is no operator yet' : listed.map(line).join('\n') };
}

function line({ Name, Role, AddedDateTime, AddedBy }: Static<typeof ListedOperator>): string {
  return `${Name}  ${Role}  added ${AddedDateTime} by ${AddedBy}`;
}
