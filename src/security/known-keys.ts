import { createHmac } from 'node:crypto';
import { dataKeySettings, type DataKeySetting, type DataKeys } from '../config/data-keys.js';

/** A key with which a gateway has started on this database, or which an operator has accepted. */
export interface KnownKey {
  readonly setting: string;
  readonly fingerprint: string;
  readonly knownSince: Date;
}

const remedies: Readonly<Record<DataKeySetting, string>> = {
  ID_KEY:
    'ID_KEY is not the key from which the ids of this database’s accounts were made, and with it every TPP would get other ' +
    'ids: set the previous key, or accept other ids with',
  PSEUDONYM_KEY:
    'PSEUDONYM_KEY lacks a previous key of this database, without which the trail of a customer would ' +
    'not be found: add it to the end of the list, or, once no event is left that used it, accept this with',
  TRAIL_KEY:
    'TRAIL_KEY is not the key that has signed the trail of this database: set the previous key, or accept the new one with',
};

/** 43 characters of base64url, which disclose nothing of the key. */
function fingerprintOf(setting: DataKeySetting, key: string): string {
  return createHmac('sha256', key).update(`account-information-gateway ${setting}`).digest('base64url');
}

/** Why the database’s data do not belong to these keys, and the remedy: a sentence for each setting. */
export function keyFaults(keys: DataKeys, known: readonly KnownKey[]): readonly string[] {
  return dataKeySettings
    .filter((setting) => !belong(setting, fingerprintsOf(setting, keys), keysOfSetting(setting, known)))
    .map(
      (setting) =>
        `${remedies[setting]} \`npm run ops -- accept-key ${setting}\` (docs/operate/keys-and-certificates.md, "Secrets").`,
    );
}

/** The keys that the database does not know yet. */
export function newKeys(keys: Partial<DataKeys>, known: readonly KnownKey[], knownSince: Date): KnownKey[] {
  return dataKeySettings.flatMap((setting) => {
    const before = keysOfSetting(setting, known).map(({ fingerprint }) => fingerprint);
    return fingerprintsOf(setting, keys)
      .filter((fingerprint) => !before.includes(fingerprint))
      .map((fingerprint) => ({ setting, fingerprint, knownSince }));
  });
}

/** The known keys that the database forgets when its operator accepts those of a setting. */
export function forgottenKeys(
  setting: DataKeySetting,
  keys: Partial<DataKeys>,
  known: readonly KnownKey[],
): KnownKey[] {
  // Records of a previous TRAIL_KEY stay valid, and a gateway may restart with that key while others change to the new one.
  if (setting === 'TRAIL_KEY') return [];
  const given = fingerprintsOf(setting, keys);
  return keysOfSetting(setting, known).filter(({ fingerprint }) => !given.includes(fingerprint));
}

/** @param given the fingerprint of the present key, then those of former ones */
function belong(setting: DataKeySetting, given: readonly string[], known: readonly KnownKey[]): boolean {
  const since = known.find(({ fingerprint }) => fingerprint === given[0])?.knownSince;
  if (since !== undefined && setting !== 'PSEUDONYM_KEY') return true;
  // A gateway may restart with its former settings while the others change one by one: it needs no later key.
  const needed = known.filter(({ knownSince }) => since === undefined || knownSince <= since);
  return needed.every(({ fingerprint }) => given.includes(fingerprint));
}

function fingerprintsOf(setting: DataKeySetting, keys: Partial<DataKeys>): readonly string[] {
  return (keys[setting] ?? []).map((key) => fingerprintOf(setting, key));
}

function keysOfSetting(setting: DataKeySetting, known: readonly KnownKey[]): readonly KnownKey[] {
  return known.filter((key) => key.setting === setting);
}
