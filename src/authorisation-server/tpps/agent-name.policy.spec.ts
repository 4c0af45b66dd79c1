import { describe, expect, it } from '@jest/globals';
import { agentIn } from './agent-name.policy.js';

function agent(claim: unknown): string | undefined {
  return agentIn({ software_on_behalf_of_org: claim }, 'Copper Budget');
}

describe('the agent of a TPP', () => {
  it('has the name in the software statement', () => {
    expect(agent('Oak Money')).toBe('Oak Money');
    expect(agent('  Oak <b>&Money ')).toBe('Oak <b>&Money');
    expect(agent('x'.repeat(100))).toBe('x'.repeat(100));
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['nothing', undefined],
    ['no text', 7],
    ['a list', ['Oak Money']],
    ['an empty text', ''],
    ['spaces', '  '],
    ['the TPP’s own name', ' COPPER budget'],
    ['the address of a record', 'https://api.directory.example/scim2/OBTrustedPaymentParty/1234567789'],
    ['an invisible character', 'Oak\u200bMoney'],
    ['a control character', 'Oak\u0000Money'],
    ['more than a page can show', 'x'.repeat(101)],
  ])('is absent where the statement has %s', (_, claim) => {
    expect(agent(claim)).toBeUndefined();
  });
});
