import { expect, it } from '@jest/globals';
import { asJson, EventLines } from './event-lines.js';
import type { TppEvent } from './event.js';
import type { WithdrawalEvent } from './withdrawal-event.js';
import { hasMac } from './withdrawal-line.js';

const macKey = Buffer.from('the key of the lines of withdrawals');
const lines = new EventLines('host-1', '1.2.3', macKey);

const event = (id: string, tpp: string): TppEvent => ({
  kind: 'tpp',
  id,
  at: `2026-11-24T12:00:00.00${id}Z`,
  event: 'suspended',
  by: 'bank',
  tpp,
});

it('the lines of events number the events, and have further members in the first line', () => {
  expect(
    lines.make({ events: 6, withdrawals: 0 }, [event('1', 'one'), event('2', 'two')].map(asJson), '"lost":3,'),
  ).toBe(
    '{"v":1,"seq":7,"instance":"host-1","release":"1.2.3","lost":3,"kind":"tpp","id":"1","at":"2026-11-24T12:00:00.001Z","event":"suspended","by":"bank","tpp":"one"}\n' +
      '{"v":1,"seq":8,"instance":"host-1","release":"1.2.3","kind":"tpp","id":"2","at":"2026-11-24T12:00:00.002Z","event":"suspended","by":"bank","tpp":"two"}\n',
  );
});

it('the lines of events have no character of a stranger’s text by which it would change a reader’s terminal', () => {
  const made = lines.make(
    { events: 0, withdrawals: 0 },
    [event('1', 'x\u009b31mred\u202e\u001b[2J'), event('2', 'Zoë')].map(asJson),
    '',
  );
  const [hostile = '', plain = ''] = made.split('\n');
  expect((JSON.parse(hostile) as TppEvent).tpp).toBe('x\ufffd31mred\ufffd\ufffd[2J');
  expect((JSON.parse(plain) as TppEvent).tpp).toBe('Zoë');
});

it('the lines of withdrawals have their number in the segment and a MAC over the rest of the line, and no others have', () => {
  const withdrawal: WithdrawalEvent = {
    kind: 'withdrawal',
    id: '1',
    at: '2026-11-24T12:00:00.001Z',
    event: 'consent-deleted',
    consent: 'aac-1',
  };
  const made = lines
    .make({ events: 6, withdrawals: 2 }, [withdrawal, event('2', 'two'), withdrawal].map(asJson), '')
    .split('\n');
  expect(made[0]).toMatch(
    /^\{"v":1,"seq":7,"instance":"host-1","release":"1.2.3","kind":"withdrawal","id":"1","at":"2026-11-24T12:00:00.001Z","event":"consent-deleted","consent":"aac-1","number":3,"mac":"[\w-]{43}"\}$/,
  );
  expect(made.slice(0, 3).map((line) => hasMac(line, macKey))).toEqual([true, false, true]);
  expect((JSON.parse(made[2] ?? '') as WithdrawalEvent).number).toBe(4);
  expect(hasMac(made[0] ?? '', Buffer.from('another key'))).toBe(false);
});
