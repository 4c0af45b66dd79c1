import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { pino } from 'pino';
import { NestLogger } from './nest-logger.js';

const secret = 'Amelia Hart of 4929421234567897';

describe("a line of a part of the gateway that uses Nest's logger", () => {
  let lines: Record<string, unknown>[] = [];
  const logger = new Logger('Part');
  beforeAll(() => {
    const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
    Logger.overrideLogger(new NestLogger(pino({ level: 'debug', base: null }, { write })));
  });
  afterAll(() => Logger.overrideLogger(true));
  const told = (): Record<string, unknown> => {
    const [line = {}] = lines;
    expect(lines).toHaveLength(1);
    lines = [];
    return line;
  };

  it.each(['warn', 'error'] as const)('has the words of the part and the codes of the error: %s', (level) => {
    const cause = Object.assign(new Error(secret), { code: 'ECONNREFUSED', address: '10.0.0.1', port: 5432 });
    logger[level]('the gateway tries again', Object.assign(new Error(secret, { cause }), { name: 'PrismaFault' }));
    const line = told();
    expect(line).toMatchObject({
      msg: 'the gateway tries again',
      context: 'Part',
      fault: 'PrismaFault',
      code: 'ECONNREFUSED',
      host: '10.0.0.1',
      port: 5432,
    });
    expect(line).not.toHaveProperty('stack');
    expect(JSON.stringify(line)).not.toContain('Amelia');
  });

  it.each(['warn', 'error'] as const)('has no words of the error where the part gives an error only: %s', (level) => {
    logger[level](new TypeError(secret));
    const line = told();
    expect(line).toMatchObject({ msg: 'a part of the framework failed', fault: 'TypeError', context: 'Part' });
    expect(JSON.stringify(line)).not.toContain('Amelia');
  });

  it('has the place of an error that may be a bug', () => {
    logger.error('the gateway tries again', new TypeError(secret));
    expect(told()).toHaveProperty('stack', expect.stringContaining('nest-logger.spec'));
  });

  it('has the words of the part alone where there is no error', () => {
    logger.warn('said');
    expect(told()).toMatchObject({ msg: 'said', context: 'Part', level: 40 });
  });

  it('has the level debug where the start fails, because run-gateway reports that fault', () => {
    Logger.error(new TypeError(secret), 'ExceptionHandler');
    const line = told();
    expect(line).toMatchObject({ level: 20, fault: 'TypeError' });
    expect(JSON.stringify(line)).not.toContain('Amelia');
  });
});
