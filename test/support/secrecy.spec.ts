import { describe, expect, it } from '@jest/globals';
import { AuthorisationSetting } from '../authorisation/setting.js';
import { checkSecrecy } from './secrecy.js';
import { Stack } from './stack.js';

describe('a gateway of a test', () => {
  it.each([
    ['a customer’s name', (stack: Stack) => stack.persona('saver').name],
    ['a customer’s reference', (stack: Stack) => stack.persona('saver').customerRef],
    ['a token', (stack: Stack) => stack.clientToken()],
  ])('that writes %s fails its test when it closes', async (_what, secretOf) => {
    const stack = await Stack.start();
    const secret = await secretOf(stack);
    stack.secrets.add(secret);
    // A TPP's id is written: this one has a secret for its id.
    await stack.ask('/accounts', { token: await stack.clientToken(secret) });
    await expect(stack.close()).rejects.toThrow(secret);
  });

  it('that writes a password of the authorization server’s customers fails too', async () => {
    const setting = await AuthorisationSetting.start();
    const { password } = setting.person('saver');
    await setting.stack.ask('/accounts', { token: await setting.stack.clientToken(password) });
    await expect(setting.close()).rejects.toThrow(password);
  });
});

describe('the search for secrets', () => {
  it('finds them in the trail as well as in the log', () => {
    expect(() =>
      checkSecrecy('the trail', '{"v":1,"iban":"GB29NWBK60161331926819"}', ['GB29NWBK60161331926819']),
    ).toThrow('the trail has GB29NWBK60161331926819');
    expect(() => checkSecrecy('the log', '{"token":"eyJhbGciOiJQUzI1NiJ9"}', [])).toThrow('the log has eyJhbGciOi');
  });

  it('finds the digits of a code in a text, and not in a time or a hash', () => {
    expect(() => checkSecrecy('the log', '{"msg":"the code 246810 is wrong"}', ['246810'])).toThrow('has 246810');
    checkSecrecy('the log', '{"time":246810,"hash":"ab246810cd"}', ['246810']);
  });

  it('takes no MAC and no signature for a token', () => {
    checkSecrecy(
      'the trail',
      '{"signature":"4LfFzoOuFu8ahfgTMS-9eyJ9X9TpFkfCqyH2TdUkzupZVKl06qt1he4Nn3cXKLvklcTn"}',
      [],
    );
    checkSecrecy('the trail', '{"mac":"lYFWBwWBSrLLLXKXOnaa80X45eyJoPx9ivD2UxJMhbc"}', []);
  });
});
