import { BootError } from './boot-error.js';
import { contentOf, readSetting } from './read-setting.js';
import { isSecretSetting, settingNames } from './setting-names.js';

type Variables = Readonly<Record<string, string>>;

const ofAdapter = /^(CORE|CUSTOMER_AUTHENTICATION)_/;

/** Whether the variable names a file with the value of a setting, in place of the value. */
export function namesFileOfSetting(variable: string, settings: ReadonlySet<string> = settingNames): boolean {
  const name = variable.replace(/_FILE$/, '');
  return name !== variable && !settings.has(variable) && (settings.has(name) || isSecretSetting(name));
}

/**
 * The variables that are set, with each setting that is in a file. Each refusal of {@link readSetting} is a line in `faults`.
 * The gateway does not know which `_FILE` of an adapter is a path for the adapter, and which holds a setting: the adapter
 * finds the path, and the content under the name without `_FILE`.
 */
export function withFiles(
  variables: NodeJS.ProcessEnv,
  faults: string[],
  settings: ReadonlySet<string> = settingNames,
): Variables {
  // Shells and compose files write an unset variable as an empty one.
  const given = Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
  const read: Record<string, string> = {};
  for (const [file, path] of Object.entries(given)) {
    const name = file.replace(/_FILE$/, '');
    if (namesFileOfSetting(file, settings)) {
      try {
        read[name] = readSetting(given, name) ?? '';
      } catch (error) {
        if (!(error instanceof BootError)) throw error;
        faults.push(error.message);
      }
    } else if (name !== file && !settings.has(file) && ofAdapter.test(name)) {
      const content = given[name] ?? contentOf(path);
      if (content !== undefined) read[name] = content;
    }
  }
  return { ...given, ...read };
}
