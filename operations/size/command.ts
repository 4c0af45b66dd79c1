import { readFile } from 'node:fs/promises';
import { UsageError } from '../../src/commands/command.js';
import { readWords } from '../command-line.js';
import { assumptions, estimate, type Estimate, type Wanted } from './estimate.js';
import { measuredFile, type Measured } from './measured.js';

const usage = `npm run size -- --consents N --calls N

Reckons the machines for these consents and calls from the figures of the bench (operations/size/measured.json), and
prints its assumptions. It asks no gateway and needs no setting.

  --consents N   the consents in the database, ended ones included: 250000, 250k, 10M
  --calls N      the reads of TPPs in a month: 500M, 2B
  --json         the answer for a program`;

/** @returns the exit code: 0 done, 2 not a command */
export async function sizeCommand(
  args: readonly string[],
  say: (text: string) => void,
  complain: (line: string) => void,
): Promise<number> {
  try {
    const { consents, calls, json, help } = optionsOf(args);
    if (help === true) {
      say(usage);
      return 0;
    }
    const wanted = { consents: count('consents', consents), calls: count('calls', calls) };
    const measured = JSON.parse(await readFile(measuredFile, 'utf8')) as Measured;
    const made = estimate(wanted, measured);
    say(json === true ? JSON.stringify({ ...wanted, ...made, assumptions, measured }) : textOf(wanted, made, measured));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`${error.message}, see: npm run size -- help`);
    return 2;
  }
}

function optionsOf(args: readonly string[]) {
  const options = {
    consents: { type: 'string' },
    calls: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  return readWords(args, { options }).values;
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, B: 1e9 };

function count(option: string, text: string | undefined): number {
  const [, digits, unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?)([kMB]?)$/.exec(text ?? '') ?? [];
  const value = Math.round(Number(digits) * (units[unit] ?? Number.NaN));
  if (!(value > 0)) throw new UsageError(`--${option} must be a number above 0, such as 250000, 250k or 10M`);
  return value;
}

function textOf({ consents, calls }: Wanted, made: Estimate, { 'uk-day': load, questions }: Measured): string {
  const { callsPerSecond, gateway, postgresql, trail } = made;
  const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
  return [
    `${number(consents)} consents and ${number(calls)} calls a month: ${number(callsPerSecond.mean)} calls a second, ` +
      `${number(callsPerSecond.peak)} in the busiest hour.`,
    '',
    `gateway                  ${gateway.processes} processes, ${gateway.cores} cores, ${number(gateway.memoryGigabytes)} GB of memory`,
    `each PostgreSQL server   ${postgresql.cores} cores, ${number(postgresql.memoryGigabytes)} GB of memory, ` +
      `${number(postgresql.diskGigabytes)} GB of database, ${postgresql.connections} connections`,
    `each standby             ${number(postgresql.walMegabytesPerSecond)} MB of write-ahead log a second in the busiest hour`,
    `trail                    ${number(trail.segmentGigabytes)} GB a month, its index ${number(trail.indexGigabytes)} GB`,
    '',
    `Measured on ${load.date} with ${number(load.consents)} consents on ${machineOf(load.machine)}, PostgreSQL ${load.postgresql}: ` +
      `of ${number(load.readsDue)} reads a second ${number(load.readsAnswered)} were answered, p99 ${number(load.p99Ms)} ms. ` +
      `The index of the trail on ${questions.date}, on ${machineOf(questions.machine)}.`,
    '',
    'Assumed, and not measured:',
    ...assumptions.map((assumption) => `- ${assumption}`),
  ].join('\n');
}

function machineOf({ processors, model, node, loadAverage }: Measured['uk-day']['machine']): string {
  return `${processors} processors (${model}, load average ${loadAverage}), Node ${node}`;
}
