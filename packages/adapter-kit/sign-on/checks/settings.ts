import assert from 'node:assert/strict';
import { SignOnSettingFault } from '../../../customer-authentication/customer-authentication-services.js';
import { assertRefused } from '../../bad-settings.js';
import type { TestSignOn } from '../sign-on-under-test.js';
import type { SignOnWorld } from '../sign-on-world.js';

export async function settingsAreChecked({ kit, signOn, services }: SignOnWorld): Promise<void> {
  const { badSettings = {} } = kit;
  assert.ok(Object.keys(badSettings).length > 0, '`badSettings` is empty: name each setting of the adapter');
  const create = async (variables: TestSignOn['variables']) => kit.create({ url: signOn.url, variables }, services);
  await assertRefused(badSettings, signOn.variables, SignOnSettingFault, create);
}
