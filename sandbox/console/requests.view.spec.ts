import { expect, it } from '@jest/globals';
import type { RequestStory } from './request-log.js';
import { requestsSection } from './requests.view.js';

const story: RequestStory = {
  number: 1,
  port: 443,
  interactionId: 'id',
  method: 'POST',
  url: '/open-banking/v4.0/cbpii/funds-confirmations',
  status: 201,
  headers: {},
  body: '{"Data":{"FundsAvailable":false}}',
  atMs: 0,
  durationMs: 1,
};

it.each([
  [story, 'POST v4.0 /funds-confirmations funds: no'],
  [{ ...story, body: '{"Data":{"FundsAvailable":true}}' }, 'POST v4.0 /funds-confirmations funds: yes'],
  [
    { ...story, url: '/open-banking/v4.0/cbpii/funds-confirmation-consents?a=1', body: '{}' },
    'POST v4.0 /funds-confirmation-consents',
  ],
  [{ ...story, method: 'GET', url: '/open-banking/v3.1/aisp/accounts?page=x', body: '{}' }, 'GET v3.1 /accounts'],
  [{ ...story, url: '/open-banking/v4.0/events', body: '{}' }, 'POST v4.0 /events'],
])('the console writes the request %# short, with the answer to a check of funds', (one, expected) => {
  const { text } = requestsSection({ stories: [one], older: false }, {}, 1, (tpp) => tpp);
  const [summary = ''] = /<span class="what">[\s\S]*?<span class="quiet">/.exec(text) ?? [];
  expect(
    summary
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ).toBe(expected);
});
