import type { Command } from 'commander';
import { UsageError } from '../../src/command-line/command.js';
import { parseBodyDateTime } from '../../src/open-banking/iso8601.js';
import type { AskedTime } from './searched-trail.js';

export interface TimeOptions {
  readonly from?: string;
  readonly to?: string;
}

export function withTime(command: Command): Command {
  return command
    .option('--from <T>', 'a day, or a date-time with its zone: 2026-11-01, 2026-11-24T14:00:00Z')
    .option('--to <T>', 'the same; a day is included to its end');
}

/** @throws UsageError for a text that is not a time */
export function askedTime({ from, to }: TimeOptions): AskedTime {
  return {
    ...(from !== undefined && { from: new Date(instantOf('from', from)).toISOString() }),
    ...(to !== undefined && { to: new Date(instantOf('to', to) + (isDay(to) ? dayMs : 0)).toISOString() }),
  };
}

const dayMs = 86_400_000;

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text);
}

/** UTC days, as the trail has them. */
function instantOf(option: string, text: string): number {
  const withZone = isDay(text) ? `${text}T00:00:00Z` : text;
  const time = /(z|[+-]\d\d:?\d\d)$/i.test(withZone) ? parseBodyDateTime(withZone) : undefined;
  if (time === undefined)
    throw new UsageError(`--${option} is not a time: write a day like 2026-11-01, or 2026-11-24T14:00:00Z`);
  return time.atMs;
}
