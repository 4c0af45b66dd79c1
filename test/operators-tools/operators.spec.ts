import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readOperatorAddress } from '../../src/config/bank-address.js';
import { opsCommand } from '../support/ops-command.js';
import { portOf } from '../support/raw-http.js';
import { bankCredential, Stack } from '../support/stack.js';

describe('the operators of the bank', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
    await stack.gateway.bankServer.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => stack.close());

  it('are added, listed and removed by the command', async () => {
    const command = async (words: string, more: Readonly<Record<string, string>> = {}) => {
      const settings = {
        BANK_PORT: String(portOf(stack.gateway.bankServer)),
        BANK_CREDENTIAL: bankCredential,
        ...more,
      };
      const given = words === '' ? [] : words.split(' ');
      const operator = () => readOperatorAddress(settings);
      const { code, text, told } = await opsCommand(['operators', ...given], { operator });
      return [code, text + told.join('\n')] as const;
    };
    expect(await command('list')).toEqual([0, 'there is no operator yet']);
    const [code, said] = await command('add anna --role admin --json');
    const { Credential } = JSON.parse(said);
    expect(code).toBe(0);
    const anna = { OPERATOR_CREDENTIAL: Credential };
    expect(await command('add bert --role read', anna)).toEqual([
      0,
      expect.stringMatching(
        /^bert {2}read {2}added 2026-06-15T12:00:00\+00:00 by operator:anna\ncredential: bert\.\S{43}\nKeep it now: it cannot be shown again\.$/,
      ),
    ]);
    expect(await command('list')).toEqual([1, expect.stringContaining('in a command OPERATOR_CREDENTIAL')]);
    expect(await command('remove bert', anna)).toEqual([0, 'anna  admin  added 2026-06-15T12:00:00+00:00 by bank']);
    expect(await command('remove anna', anna)).toEqual([1, expect.stringContaining('last admin')]);
    expect(await command('list', { OPERATOR_CREDENTIAL: 'anna.x' })).toEqual([
      1,
      'OPERATOR_CREDENTIAL is not that of an operator of the gateway',
    ]);
    expect(await command('add bo --role boss', anna)).toEqual([
      1,
      'role must be one of read, withdraw, operate, admin.',
    ]);
    expect(await command('add Bo --role read', anna)).toEqual([1, expect.stringMatching(/^name has a value/)]);
    expect(await command('', anna)).toEqual([2, expect.stringContaining('name a command: list, add, remove, see: ')]);
    expect(await command('add bert', anna)).toEqual([
      2,
      expect.stringMatching(/required option '--role <ROLE>' .*see: npm run ops -- operators add --help$/),
    ]);
  });
});
