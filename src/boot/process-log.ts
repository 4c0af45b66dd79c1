import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { LogOutput, standardOutput, writeAtOnce } from '../observability/log-output.js';

/** How long the end waits for a slow reader of the log. */
export const logPatienceMs = 2_000;

interface ProcessLog {
  readonly log: FastifyBaseLogger;
  readonly output: LogOutput;
}

/**
 * The log of this process, on standard output.
 * @param seeLog sees each record, as it is written
 */
export function createLog(level: string, seeLog?: (record: string) => void): ProcessLog {
  const output = new LogOutput(standardOutput(), (dropped) =>
    log.error({ dropped }, 'records of this log were dropped: no reader took them from standard output'),
  );
  const observed = seeLog && {
    write: (record: string): void => {
      seeLog(record);
      output.write(record);
    },
  };
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, observed ?? output);
  process.once('exit', () => {
    const lost = output.end(writeAtOnce);
    if (lost > 0)
      process.stderr.write(`gateway: ${lost} records of the log are lost: no reader took them from standard output\n`);
  });
  return { log, output };
}
