import { readdirSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BootError } from '../config/boot-error.js';
import { profileFaults } from './faults-of-profile.js';
import { type Profile, type ProfileData, profileOf } from './profile.js';
import { readFile } from 'node:fs/promises';

const pattern = /^(profile-[a-z0-9-]+)\.(?:js|ts)$/;

/** Every profile that has a file in this folder. To add a profile, add its file. */
export function profileNames(): string[] {
  const files = readdirSync(dirname(fileURLToPath(import.meta.url)));
  return files.flatMap((file) => pattern.exec(file)?.[1] ?? []).sort();
}

/** An absolute path names a bank's own profile, which is checked when it is read. */
export function refuseUnknownProfile(name: string, names: readonly string[]): void {
  if (!isAbsolute(name) && !names.includes(name))
    throw new BootError(
      `PROFILE "${name}" is not known: set it to one of ${names.join(', ')}, or to the absolute path of a profile’s JSON file`,
    );
}

/** The valid profile of that name or path; otherwise a {@link BootError} with the fault and the remedy. */
export async function loadProfile(name: string): Promise<Profile> {
  refuseUnknownProfile(name, profileNames());
  const data = await (isAbsolute(name) ? readOutsideProfile(name) : ownProfile(name));
  const faults = profileFaults(data);
  if (faults.length > 0) throw unusable(name, faults);
  return profileOf(data as ProfileData);
}

async function ownProfile(name: string): Promise<ProfileData> {
  // A variable, which a bundler does not resolve, so that the file is found at run time.
  const file = `./${name}.js`;
  const { endpoints: _derived, ...data } = ((await import(file)) as { profile: Profile }).profile;
  return data;
}

/** Reads the profile of a bank from a JSON file; its content is not checked yet. @throws BootError */
async function readOutsideProfile(path: string): Promise<object> {
  const content = await parsed(path);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw unusable(path, ['it must hold a JSON object']);
  return content;
}

/** @param name the name of the profile, or the path of its file */
export function unusable(name: string, faults: readonly string[]): BootError {
  return new BootError(`PROFILE ${name} cannot be used, fix its file: ${faults.join('; ')}`);
}

async function parsed(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    throw new BootError(`PROFILE ${path} is not ${error instanceof SyntaxError ? 'valid JSON' : 'a readable file'}`);
  }
}
