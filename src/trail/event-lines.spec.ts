import { expect, it } from '@jest/globals';
import { EventLines } from './event-lines.js';
import type { TppEvent } from './event.js';

const event = (id: string, tpp: string): TppEvent => ({
  kind: 'tpp',
  id,
  at: `2026-11-24T12:00:00.00${id}Z`,
  event: 'suspended',
  by: 'bank',
  tpp,
});

it('the lines of events number the events, and have further members in the first line', () => {
  const lines = new EventLines('host-1', '1.2.3');
  expect(lines.make(7, [event('1', 'one'), event('2', 'two')], '"lost":3,')).toBe(
    '{"v":1,"seq":7,"instance":"host-1","release":"1.2.3","lost":3,"kind":"tpp","id":"1","at":"2026-11-24T12:00:00.001Z","event":"suspended","by":"bank","tpp":"one"}\n' +
      '{"v":1,"seq":8,"instance":"host-1","release":"1.2.3","kind":"tpp","id":"2","at":"2026-11-24T12:00:00.002Z","event":"suspended","by":"bank","tpp":"two"}\n',
  );
});

it('the lines of events have no character of a stranger’s text by which it would change a reader’s terminal', () => {
  const lines = new EventLines('host-1', '1.2.3');
  const made = lines.make(1, [event('1', 'x\u009b31mred\u202e\u001b[2J'), event('2', 'Zoë')], '');
  const [hostile = '', plain = ''] = made.split('\n');
  expect((JSON.parse(hostile) as TppEvent).tpp).toBe('x\ufffd31mred\ufffd\ufffd[2J');
  expect((JSON.parse(plain) as TppEvent).tpp).toBe('Zoë');
});
