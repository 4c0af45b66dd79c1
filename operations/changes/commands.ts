import { BankClient } from '../../src/commands/bank.client.js';
import { readOperatorAddress, type BankAddress } from '../../src/config/bank-address.js';
import { instant } from '../../src/trail/words.js';
import { neededOption, optionOf, type CommandTable } from '../command-line.js';

interface Change {
  readonly ChangeId: string;
  readonly FromDateTime: string;
  readonly Kind: string;
  readonly Text: string;
  readonly Link?: string;
}

/** @param address of the gateway, read once a command needs it */
export function changeCommands(address: () => BankAddress = readOperatorAddress): CommandTable {
  const bank = (): BankClient => new BankClient(address());
  return {
    name: 'changes',
    summary:
      'The changes of the interface that TPPs see announced. The settings are those of the gateway: BANK_HOST, BANK_PORT, OPERATOR_CREDENTIAL, and with TLS BANK_TLS_CERT_FILE.',
    common: {},
    commands: {
      add: adding(bank),
      list: {
        help: 'the latest 100, the last one first; those that TPPs no longer see too',
        run: async () => {
          const { Changes } = (await bank().call('GET', '/changes')) as { Changes: readonly Change[] };
          return {
            json: Changes,
            text: Changes.length === 0 ? 'no change is announced' : Changes.map(line).join('\n'),
          };
        },
      },
      remove: {
        help: 'removes one',
        operands: ['ID'],
        run: async ({ operands: [id = ''] }) => {
          const change = (await bank().call('DELETE', `/changes/${encodeURIComponent(id)}`)) as Change;
          return { json: change, text: `removed: ${line(change)}` };
        },
      },
    },
  };
}

function adding(bank: () => BankClient): CommandTable['commands'][string] {
  return {
    help: 'announces a change, until 30 days after it took effect',
    options: {
      from: { value: 'T', help: 'when it takes effect: a date-time, such as 2027-03-01T00:00:00Z' },
      kind: { value: 'KIND', help: 'ADDITION, CHANGE, REMOVAL or CERTIFICATES' },
      text: { value: 'TEXT', help: 'one line for TPPs' },
      link: { value: 'URL', help: 'an https address with more about it' },
    },
    run: async (given) => {
      const [from, kind, text] = ['from', 'kind', 'text'].map((name) => neededOption(given, name));
      const link = optionOf(given, 'link');
      const body = { from, kind, text, ...(link !== undefined && { link }) };
      const change = (await bank().call('POST', '/changes', body)) as Change;
      return { json: change, text: line(change) };
    },
  };
}

function line({ ChangeId, FromDateTime, Kind, Text, Link }: Change): string {
  return `${ChangeId}  ${instant(Date.parse(FromDateTime))}  ${Kind}  ${Text}${Link === undefined ? '' : `  ${Link}`}`;
}
