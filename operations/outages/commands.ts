import { BankClient } from '../../src/commands/bank.client.js';
import { readOperatorAddress, type BankAddress } from '../../src/config/bank-address.js';
import { instant } from '../../src/trail/words.js';
import { neededOption, type CommandTable } from '../command-line.js';

interface Outage {
  readonly OutageId: string;
  readonly FromDateTime: string;
  readonly ToDateTime: string;
  readonly Text: string;
}

/** @param address of the gateway, read once a command needs it */
export function outageCommands(address: () => BankAddress = readOperatorAddress): CommandTable {
  const bank = (): BankClient => new BankClient(address());
  return {
    name: 'outages',
    summary:
      'The planned outages that TPPs see. The settings are those of the gateway: BANK_HOST, BANK_PORT, OPERATOR_CREDENTIAL, and with TLS BANK_TLS_CERT_FILE.',
    common: {},
    commands: {
      add: {
        help: 'states an outage that is still to come, and that overlaps no other',
        options: {
          from: { value: 'T', help: 'its first moment: a date-time, such as 2026-12-05T22:00:00Z' },
          to: { value: 'T', help: 'when it is over' },
          text: { value: 'TEXT', help: 'one line for TPPs' },
        },
        run: async (given) => {
          const [from, to, text] = ['from', 'to', 'text'].map((name) => neededOption(given, name));
          const outage = (await bank().call('POST', '/outages', { from, to, text })) as Outage;
          return { json: outage, text: line(outage) };
        },
      },
      list: {
        help: 'the latest 100, the last one first; ended ones too',
        run: async () => {
          const { Outages } = (await bank().call('GET', '/outages')) as { Outages: readonly Outage[] };
          return { json: Outages, text: Outages.length === 0 ? 'no outage is planned' : Outages.map(line).join('\n') };
        },
      },
      remove: {
        help: 'removes one that has not begun',
        operands: ['ID'],
        run: async ({ operands: [id = ''] }) => {
          const outage = (await bank().call('DELETE', `/outages/${encodeURIComponent(id)}`)) as Outage;
          return { json: outage, text: `removed: ${line(outage)}` };
        },
      },
    },
  };
}

function line({ OutageId, FromDateTime, ToDateTime, Text }: Outage): string {
  return `${OutageId}  ${instant(Date.parse(FromDateTime))} to ${instant(Date.parse(ToDateTime))}  ${Text}`;
}
