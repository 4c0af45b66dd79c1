import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadProfile } from '../../src/profiles/load-profile.js';
import type { ServiceRules } from '../../src/profiles/service-rules.js';

/** A profile in a file, as a bank has its own, with other rules: the value of PROFILE for a gateway in another process. */
export async function profileFile(folder: string, rules: Partial<ServiceRules>, name = 'profile-2'): Promise<string> {
  const { endpoints: _derived, ...data } = await loadProfile(name);
  const path = join(folder, `${name}.json`);
  await writeFile(path, JSON.stringify({ ...data, rules: { ...data.rules, ...rules } }));
  return path;
}
