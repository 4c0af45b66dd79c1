import type { Command } from 'commander';
import type { CommandOutput } from '../src/command-line/command.js';
import type { CommandContext, CommandSettings } from './command-settings.js';
import { recorded } from './recorded.js';

export function addMigrate(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('as the owner: applies the migrations that the previous release tolerates')
    .option('--contract', 'applies the other migrations too: first stop every process of the previous release')
    .action(async ({ contract = false }: { readonly contract?: boolean }) =>
      context.answer(await recorded(context, { command: 'migrate' }, () => migrateCommand(contract, context))),
    );
}

/**
 * `migrate`: applies the missing migrations on which the previous release runs too. With `--contract` also the others, for
 * which no process of the previous release may run. An empty database gets all of them.
 */
async function migrateCommand(
  contract: boolean,
  { openDatabase }: Pick<CommandSettings, 'openDatabase'>,
): Promise<CommandOutput> {
  const prisma = await openDatabase(contract ? 'all' : 'expansions');
  const { applied, waiting } = prisma.database.migrated;
  await prisma.onApplicationShutdown();
  const text = [
    applied.length === 0 ? 'nothing was applied' : `applied: ${applied.join(', ')}`,
    ...(waiting.length === 0
      ? []
      : [
          `waiting: ${waiting.join(', ')}. Once no process of the previous release runs, apply them with migrate --contract`,
        ]),
  ].join('\n');
  return { json: { applied, waiting }, text };
}
