import assert from 'node:assert/strict';
import { SignOnSettingFault } from '../../../customer-authentication/customer-authentication-services.js';
import { errorOf, type SignOnWorld } from '../sign-on-world.js';

export async function settingsAreJudged({ kit, signOn, services }: SignOnWorld): Promise<void> {
  const { badSettings = {} } = kit;
  assert.ok(Object.keys(badSettings).length > 0, '`badSettings` is empty: name each setting of the adapter');
  for (const [setting, values] of Object.entries(badSettings))
    for (const value of values) {
      const { [setting]: _, ...others } = signOn.variables;
      const variables = value === undefined ? others : { ...others, [setting]: value };
      const where = `${setting} ${value === undefined ? 'left out' : `set to ${JSON.stringify(value)}`}`;
      const fault = await errorOf(async () => {
        const made = await kit.create({ url: signOn.url, variables }, services);
        await made.close();
      });
      assert.ok(fault instanceof SignOnSettingFault, `${where}: it was not refused with SignOnSettingFault`);
      assert.equal(fault.setting, setting, `${where}: the refusal names another setting`);
      if (value !== undefined && value.length > 3)
        assert.ok(!fault.message.includes(value), `${where}: the refusal repeats the value, which may be a secret`);
    }
}
