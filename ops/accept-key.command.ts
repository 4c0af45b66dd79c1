import { Argument, type Command } from 'commander';
import { type DataKeySetting, dataKeySettings } from '../src/config/data-keys.js';
import type { CommandOutput } from '../src/command-line/command.js';
import type { CommandContext, CommandSettings } from './command-settings.js';
import { recorded } from './recorded.js';
import { workOnDatabase } from './work-on-database.js';

export function addAcceptKey(program: Command, context: CommandContext): void {
  program
    .command('accept-key')
    .addArgument(new Argument('<SETTING>', 'the setting of the key').choices(dataKeySettings))
    .summary('as the serving role: gateways start with the key of this setting from now on')
    .description(
      'as the serving role: accepts the key of this setting, to which the data of the database do not belong; before that no gateway starts with it',
    )
    .action(async (setting: DataKeySetting) =>
      context.answer(await recorded(context, { command: 'accept-key' }, () => acceptKeyCommand(setting, context))),
    );
}

/**
 * `accept-key SETTING`: gateways start from now on with the key of this setting, which the command has, too. Without it a
 * gateway refuses a key to which the data of its database do not belong.
 */
async function acceptKeyCommand(
  setting: DataKeySetting,
  { dataKeys, openDatabase, clock }: Pick<CommandSettings, 'dataKeys' | 'openDatabase' | 'clock'>,
): Promise<CommandOutput> {
  const keys = dataKeys(setting);
  // Loaded only for this command: the database's client is large.
  const { acceptKeys } = await import('../src/security/known-keys.store.js');
  return workOnDatabase(openDatabase, async (prisma) => {
    const forgotten = await acceptKeys(prisma, setting, keys, new Date(clock.nowMs()));
    const text = `gateways start with this ${setting} from now on`;
    return {
      json: { setting, forgotten },
      text: forgotten === 0 ? text : `${text}; ${forgotten} that the setting lacks were removed from the database`,
    };
  });
}
