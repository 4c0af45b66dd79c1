import { dataKeySettings, type DataKeySetting } from '../config/data-keys.js';
import { UsageError, type CommandOutput, type CommandSettings } from './command.js';
import { workOnDatabase } from './work-on-database.js';

/**
 * `accept-key SETTING`: gateways start from now on with the key of this setting, which the command has, too. Without it a
 * gateway refuses a key to which the data of its database do not belong.
 */
export async function acceptKeyCommand(
  [setting, ...more]: readonly string[],
  { dataKeys, openDatabase, clock }: Pick<CommandSettings, 'dataKeys' | 'openDatabase' | 'clock'>,
): Promise<CommandOutput> {
  if (!isSetting(setting) || more.length > 0) throw new UsageError();
  const keys = dataKeys(setting);
  // Loaded only for this command: the database's client is large.
  const { acceptKeys } = await import('../security/known-keys.store.js');
  return workOnDatabase(openDatabase, async (prisma) => {
    const forgotten = await acceptKeys(prisma, setting, keys, new Date(clock.nowMs()));
    const text = `gateways start with this ${setting} from now on`;
    return {
      json: { setting, forgotten },
      text: forgotten === 0 ? text : `${text}; the database has forgotten ${forgotten} that they lack`,
    };
  });
}

function isSetting(name: string | undefined): name is DataKeySetting {
  return dataKeySettings.some((setting) => setting === name);
}
