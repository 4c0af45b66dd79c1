import { fileURLToPath } from 'node:url';
import { CoreSettingFault, type CoreSettings } from '../../../../packages/core-adapter/core-settings.js';
import { readNamedFile } from '../../record-mapping/mapped-core.js';
import { readFeedFile } from './feed-file.js';

/** The settings that only this core needs: docs/operate/settings.md lists them. */
export const feedVariables = {
  CORE_FEED_FILE: 'Absolute path of the file that describes the deliveries ([walks/files.md](../bank/walks/files.md)).',
  CORE_FEED_MAX_AGE: 'Age from which data are not shown any more, as a duration: `P1DT6H`.',
} as const;
type Variable = keyof typeof feedVariables;

export type FeedSettings = Readonly<ReturnType<typeof readFeedSettings>>;

/** @throws CoreSettingFault for the first setting that is missing or wrong, by its name and without its value */
export function readFeedSettings({ url, variables }: CoreSettings) {
  return {
    /** The folder of the replica, which `feed load` writes and the gateway reads. */
    folder: readFolder(url),
    file: readNamedFile('CORE_FEED_FILE' satisfies Variable, variables['CORE_FEED_FILE']?.trim() ?? '', readFeedFile),
    /** Data that are older are not shown. */
    maxAgeMs: readMaxAge(variables['CORE_FEED_MAX_AGE']?.trim() ?? ''),
  };
}

function readFolder(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new CoreSettingFault('CORE_URL', 'must be the folder of the replica, like file:///var/lib/feed');
  }
}

function readMaxAge(duration: string): number {
  const [all, days = 0, hours = 0, minutes = 0] =
    /^P(?:(\d{1,3})D)?(?:T(?:(\d{1,3})H)?(?:(\d{1,4})M)?)?$/.exec(duration) ?? [];
  const ms = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000;
  if (all === undefined || ms === 0)
    throw new CoreSettingFault(
      'CORE_FEED_MAX_AGE' satisfies Variable,
      'must be a duration of days, hours and minutes, such as P1DT6H',
    );
  return ms;
}
