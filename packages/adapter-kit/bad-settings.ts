import assert from 'node:assert/strict';
import type { AdapterUnderTest } from './adapter-under-test.js';
import { errorOf } from './is-error.js';

type Variables = Readonly<Record<string, string>>;

/** Each bad value is refused with the port's fault, which names the setting and does not repeat the value. */
export async function assertRefused(
  badSettings: NonNullable<AdapterUnderTest['badSettings']>,
  good: Variables,
  SettingFault: new (...given: never[]) => Error & { readonly setting: string },
  create: (variables: Variables) => Promise<{ close(): Promise<void> }>,
): Promise<void> {
  for (const [setting, values] of Object.entries(badSettings))
    for (const value of values) {
      const { [setting]: _, ...others } = good;
      const variables = value === undefined ? others : { ...others, [setting]: value };
      const where = `${setting} ${value === undefined ? 'absent' : `set to ${JSON.stringify(value)}`}`;
      const fault = await errorOf(async () => (await create(variables)).close());
      assert.ok(fault instanceof SettingFault, `${where}: the adapter was not refused with ${SettingFault.name}`);
      assert.equal(fault.setting, setting, `${where}: the refusal names another setting`);
      if (value !== undefined && value.length > 3)
        assert.ok(!fault.message.includes(value), `${where}: the refusal repeats the value, which may be a secret`);
    }
}
