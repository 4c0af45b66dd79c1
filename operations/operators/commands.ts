import { BankClient } from '../../src/commands/bank.client.js';
import { readOperatorAddress, type BankAddress } from '../../src/config/bank-address.js';
import { neededOption, type CommandTable } from '../command-line.js';

interface Operator {
  readonly Name: string;
  readonly Role: string;
  readonly AddedDateTime: string;
  readonly AddedBy: string;
}

/** @param address of the gateway, read once a command needs it */
export function operatorsCommands(address: () => BankAddress = readOperatorAddress): CommandTable {
  const bank = (): BankClient => new BankClient(address());
  return {
    name: 'operators',
    summary:
      'The bank’s operators and their roles. An admin does this, with the credential in OPERATOR_CREDENTIAL. The first admin ' +
      'is added with BANK_CREDENTIAL, which can add no other operator.',
    commands: {
      list: {
        help: 'the operators, their roles, and who added them',
        run: async () => outputOf(await bank().call('GET', '/operators')),
      },
      add: {
        help: 'adds an operator (NAME: small letters, digits, `-`, `_` and `.`) and shows the credential once',
        operands: ['NAME'],
        options: {
          role: { value: 'ROLE', help: 'read, withdraw, operate or admin: each may do all that those before it may' },
        },
        run: async (given) => {
          const [name] = given.operands;
          const role = neededOption(given, 'role');
          const added = (await bank().call('POST', '/operators', { name, role })) as Operator & { Credential: string };
          const text = `${line(added)}\ncredential: ${added.Credential}\nKeep it now: it cannot be shown again.`;
          return { json: added, text };
        },
      },
      remove: {
        help: 'removes an operator, whose credential is refused from then on',
        operands: ['NAME'],
        run: async ({ operands: [name = ''] }) =>
          outputOf(await bank().call('DELETE', `/operators/${encodeURIComponent(name)}`)),
      },
    },
    common: {},
  };
}

function outputOf(answer: unknown) {
  const { Operators } = answer as { readonly Operators: readonly Operator[] };
  return {
    json: Operators,
    text: Operators.length === 0 ? 'there is no operator yet' : Operators.map(line).join('\n'),
  };
}

function line({ Name, Role, AddedDateTime, AddedBy }: Operator): string {
  return `${Name}  ${Role}  added ${AddedDateTime} by ${AddedBy}`;
}
