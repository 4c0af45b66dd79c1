import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { journey, type Step } from '../../sandbox/actions/journey.js';
import { describePersona } from '../../sandbox/bank/staff-paths.js';
import type { Persona } from '../../sandbox/bank/personas/persona.js';
import { faultOfBank } from '../../sandbox/clients/bank-fault.js';
import { minuteMs } from '../support/stack.js';
import { TppSetting } from './tpp-setting.js';

describe('the journey of the command line', () => {
  let setting: TppSetting;
  beforeAll(async () => {
    setting = await TppSetting.start();
  });
  afterAll(() => setting.close());

  function go(name: string, changed: { password?: string } = {}) {
    const { bank, client, clock, running } = setting;
    const persona = bank.personas.find((one) => one.name === name) as Persona;
    const told: Step[] = [];
    const result = journey({
      stack: running,
      bank: client,
      persona: { ...describePersona(persona), ...changed },
      waitOutWindow: async () => clock.advance(5 * minuteMs),
      onStep: (step) => told.push(step),
    });
    return { result, told };
  }

  it('goes from a consent to data, authenticates again, and ends the access', async () => {
    const { result, told } = go('complete');
    const { ConsentId, Steps, Accounts, Balances } = await result.catch((error: unknown) => {
      throw new Error(`${told.at(-1)?.step}: ${faultOfBank(error)}`, { cause: error });
    });
    expect(Steps).toEqual(told);
    expect(Steps).toEqual([
      { step: 'consent created', result: ConsentId },
      { step: 'customer approved at the bank', result: '5 accounts' },
      { step: 'code exchanged', result: 'the id token names the consent and strong authentication' },
      { step: 'accounts read', result: '5' },
      { step: 'balances read', result: String(Balances.length) },
      { step: 'token refreshed', result: 'the new one reads too' },
      { step: 'authentication window ended', result: 'the party is refused with Reauthentication, balances are read' },
      { step: 'customer authenticated again', result: 'the new token reads, the old one does not any more' },
      { step: 'access ended', result: "Amelia Hart's data cannot be read any more" },
    ]);
    expect(Accounts).toHaveLength(5);
    expect(Balances.length).toBeGreaterThan(4);
  });

  it('stops at the first step with a wrong result', async () => {
    const { result, told } = go('saver', { password: 'wrong' });
    await expect(result).rejects.toThrow(/^no code for saver came to /);
    expect(told.map(({ step }) => step)).toEqual(['consent created']);
  });
});
