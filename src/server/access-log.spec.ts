import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { RequestEvent } from '../trail/event.js';
import { logAccess } from './access-log.js';

it.each([
  [200, 'debug'],
  [302, 'debug'],
  [400, 'info'],
  [499, 'info'],
  [503, 'info'],
])('the access record of an answer %s is at level %s', (status, level) => {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
  logAccess(log, 'access', { status } as RequestEvent);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: pino.levels.values[level], access: { status } }),
  ]);
});
