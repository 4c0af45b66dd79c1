import type { Command } from 'commander';
import { CommandFailed, type CommandOutput } from '../../src/command-line/command.js';
import { several } from '../../src/command-line/command-line.js';
import type { BankOrigin } from '../../src/config/bank-address.js';
import { BootError } from '../../src/config/boot-error.js';
import { BankPort } from '../bank-port.js';
import type { CommandContext } from '../command-settings.js';
import { askInstance, readinessOf } from './instance.js';
import { statusOf } from './status.js';
import { statusText } from './text.js';

const help = `When do certificates expire, and is it safe to restart the gateway now? Asks the gateway at BANK_HOST and BANK_PORT (default
127.0.0.1:3001), and needs no credential.

Ends with 0 where a restart is safe, with 1 where it is not, and with 2 where the gateway is unreachable.`;

export function addStatus(program: Command, { origin, clock, answer }: CommandContext): void {
  program
    .command('status')
    .summary('shows when certificates expire, and whether it is safe to restart the gateway now')
    .description(help)
    .addOption(
      several(
        '--instance <ORIGIN>',
        'another gateway of the same database, by its bank port, e.g. http://10.0.0.2:3001',
      ),
    )
    .action(async ({ instance = [] }: { readonly instance?: readonly string[] }) => {
      try {
        answer(await status(origin(), instance.map(originOf), clock.nowMs()));
      } catch (error) {
        // Exit code 1 says that a restart is not safe.
        if (error instanceof CommandFailed || error instanceof BootError) throw new CommandFailed(error.message, 2);
        throw error;
      }
    });
}

async function status(address: BankOrigin, origins: readonly string[], nowMs: number): Promise<CommandOutput> {
  const [asked, ...ready] = await Promise.all([
    askInstance(new BankPort(address)),
    ...origins.map((origin) => readinessOf(new BankPort({ ...address, origin }))),
  ]);
  const others = origins.map((origin, index) => ({
    origin,
    ready: ready[index] === 'ready',
    answers: ready[index] !== 'no answer',
  }));
  const found = statusOf(asked, others, nowMs);
  const { origin } = address;
  return { json: { origin, ...found }, text: statusText(origin, found), failed: !found.safeToRestart };
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CommandFailed(`--instance ${text}: give an origin, such as http://10.0.0.2:3001`);
  return url.origin;
}
