import { describe, expect, it } from '@jest/globals';
import { approvedText, timelineText } from '../../ops/cases/texts.js';

const at = '2026-11-24T14:03:00.000+00:00';

describe('the timeline of a consent', () => {
  it('names the endpoints that were asked under it, and those that are not served', () => {
    const ids = { Kind: 'account-access', ConsentId: 'aac-1', TppId: 'tpp-one', TppIssuer: 'issuer' };
    const use = { ...ids, Answered: 1, Attended: 0, Refused: 0, FirstDateTime: at, LastDateTime: at };
    const text = timelineText({
      Consent: { ...ids, Status: 'authorised', CreationDateTime: at, StatusUpdateDateTime: at, Permissions: [] },
      Events: [{ DateTime: at, Event: 'created', By: 'tpp' }],
      Uses: [
        { ...use, Endpoint: 'balances' },
        { ...use, Endpoint: '', Answered: 0, Refused: 1 },
      ],
      Searched: { Instances: ['gateway-1-11111111'], Days: [], OpenEvents: 0 },
    });
    expect(text).toContain('balances: 1 answer, 0 with the customer present, 0 requests without data');
    expect(text).toContain('a path that is not served: 0 answers, 0 with the customer present, 1 request without data');
  });
});

describe('an approved act', () => {
  it.each([
    ['suspension', 'The TPP tpp-one is suspended.'],
    ['reinstatement', 'The TPP tpp-one is reinstated.'],
    ['registration', 'The TPP tpp-one is registered as proposed.'],
  ])('that is a %s is named as one', (Act, text) => {
    const ids = { ProposalId: '1', ProposedBy: 'operator:otto', ProposedDateTime: at, ExpirationDateTime: at };
    expect(approvedText({ Proposal: { ...ids, Act, TppId: 'tpp-one' } })).toBe(text);
  });
});
