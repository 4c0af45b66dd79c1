import type { Command } from 'commander';
import { isCoreSettingFault } from '../packages/core-adapter/core-settings.js';
import { feedLoader, type LoadOutcome } from '../src/core-banking/adapters/registry.js';
import { CommandFailed, type CommandOutput } from '../src/command-line/command.js';
import type { CommandContext, CommandSettings } from './command-settings.js';
import { loadProgress } from './load-progress.js';
import { recorded } from './recorded.js';

export function addFeed(program: Command, context: CommandContext): void {
  program
    .command('feed')
    .description(
      'The copy of a core that delivers files, with CORE, CORE_URL and the core’s own settings of the gateway.',
    )
    .command('load')
    .description('loads the delivery in the folder, which every gateway then reads; or refuses it and says why')
    .requiredOption('--delivery <DIR>', 'the folder')
    .action(async ({ delivery }: { readonly delivery: string }) =>
      context.answer(await recorded(context, { command: 'feed load' }, () => feedCommand(delivery, context))),
    );
}

/** `feed load --delivery DIR`: loads a delivery of files into the replica that the gateway reads. */
async function feedCommand(
  delivery: string,
  { core, clock }: Pick<CommandSettings, 'core' | 'clock'>,
): Promise<CommandOutput> {
  const settings = core();
  if (settings.name !== 'feed') throw new CommandFailed('CORE names a core without deliveries: set it to feed');
  try {
    const { loadDelivery } = await feedLoader();
    return outputOf(await loadDelivery(settings, delivery, loadProgress(process.stderr), clock.nowMs()));
  } catch (error) {
    if (!isCoreSettingFault(error)) throw error;
    throw new CommandFailed(error.message);
  }
}

function outputOf(outcome: LoadOutcome): CommandOutput {
  if (outcome.taken) {
    const { delivery, asOf, rows, unread, bytes } = outcome;
    const counted = (counts: Readonly<Record<string, number>>): string =>
      Object.entries(counts)
        .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
        .join(', ');
    const taken = `Taken: ${delivery}, as of ${asOf.toISOString()}: ${counted(rows)}; ${megabytes(bytes)} MB`;
    const omitted =
      Object.keys(unread).length === 0
        ? ''
        : `\nOptional fields that cannot be read and were omitted: ${counted(unread)}`;
    const text = taken + omitted;
    return { json: { ...outcome, asOf: asOf.toISOString() }, text };
  }
  const { reason, message, faults } = outcome;
  const verdict = `Refused (${reason}): ${message}. The data in use stay.`;
  return { json: outcome, text: [...faults, verdict].join('\n'), failed: true };
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
