import { describe, expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { agentOf } from './agent-name.policy.js';

function tpp(claim: unknown, name = 'Copper Budget') {
  const statement = new UnsecuredJWT({ software_on_behalf_of_org: claim }).encode();
  return { name, software: { softwareId: 's', organisationId: 'o', statement, registeredAt: new Date(0) } };
}

describe('the agent of a TPP', () => {
  it('has the name in the software statement', () => {
    expect(agentOf(tpp('Oak Money'))).toBe('Oak Money');
    expect(agentOf(tpp('  Oak <b>&Money '))).toBe('Oak <b>&Money');
    expect(agentOf(tpp('x'.repeat(100)))).toBe('x'.repeat(100));
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
    ['a control character', 'Oak\u0000Money'],
    ['more than a page can show', 'x'.repeat(101)],
  ])('is nobody where the statement has %s', (_, claim) => {
    expect(agentOf(tpp(claim))).toBeUndefined();
  });

  it('is nobody where the bank registered the TPP without a statement', () => {
    expect(agentOf({ name: 'Copper Budget' })).toBeUndefined();
  });
});
