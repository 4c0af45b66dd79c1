import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { NewOutage, Outage, Outages } from '../src/bank-facing/outage.routes.js';
import type { CommandOutput } from '../src/command-line/command.js';
import { instant } from '../src/trail/words.js';
import { BankClient } from './bank.client.js';
import type { CommandContext } from './command-settings.js';

export function addOutages(program: Command, { operator, answer }: CommandContext): void {
  const outages = program.command('outages').description('The planned outages that TPPs see.');
  outages
    .command('add')
    .description('plans an outage: it must begin in the future and overlap no other')
    .requiredOption('--from <T>', 'when it begins: a date-time, such as 2026-12-05T22:00:00Z')
    .requiredOption('--to <T>', 'when it ends')
    .requiredOption('--text <TEXT>', 'one line for TPPs')
    .action(async ({ from, to, text }: Static<typeof NewOutage>) =>
      answer(await add({ from, to, text }, new BankClient(operator()))),
    );
  outages
    .command('list')
    .description('lists the latest 100, the last one first, with those that have ended')
    .action(async () => answer(await list(new BankClient(operator()))));
  outages
    .command('remove')
    .argument('<ID>')
    .description('removes an outage that has not begun')
    .action(async (id: string) => answer(await remove(id, new BankClient(operator()))));
}

async function add(planned: Static<typeof NewOutage>, bank: BankClient): Promise<CommandOutput> {
  const outage = (await bank.call('POST', '/outages', planned)) as Static<typeof Outage>;
  return { json: outage, text: line(outage) };
}

async function list(bank: BankClient): Promise<CommandOutput> {
  const { Outages: listed } = (await bank.call('GET', '/outages')) as Static<typeof Outages>;
  return { json: listed, text: listed.length === 0 ? 'no outage is planned' : listed.map(line).join('\n') };
}

async function remove(id: string, bank: BankClient): Promise<CommandOutput> {
  const outage = (await bank.call('DELETE', `/outages/${encodeURIComponent(id)}`)) as Static<typeof Outage>;
  return { json: outage, text: `removed: ${line(outage)}` };
}

function line({ OutageId, FromDateTime, ToDateTime, Text }: Static<typeof Outage>): string {
  return `${OutageId}  ${instant(Date.parse(FromDateTime))} to ${instant(Date.parse(ToDateTime))}  ${Text}`;
}
