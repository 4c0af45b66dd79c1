import { run } from '../../ops/run.js';
import { duckDbSettings } from '../../ops/trail/trail-database.js';
import { SystemClock } from '../../src/clock/clock.js';
import type { CommandSettings } from '../../ops/command-settings.js';
import { FakeClock } from './fake-clock.js';

// A trail of a test is small: a second thread would only wait for work.
Object.assign(duckDbSettings, { threads: '1' });

const never = (): never => {
  throw new Error('the test gives the command no such setting');
};
const noSettings: CommandSettings = {
  gateway: never,
  operator: never,
  operatorOnly: never,
  origin: never,
  trailFolder: never,
  trailKey: never,
  dataKeys: never,
  core: never,
  openDatabase: never,
  retentionDays: never,
  trailRetention: () => undefined,
  record: () => Promise.resolve(),
  clock: new SystemClock(),
};

export interface OpsAnswer {
  readonly code: number;
  readonly text: string;
  /** The lines of progress and complaint. */
  readonly told: readonly string[];
}

/** `npm run ops -- …` in this process. @param settings those that the command needs */
export async function opsCommand(
  words: readonly string[],
  settings: Partial<CommandSettings> = {},
): Promise<OpsAnswer> {
  const [said, told]: [string[], string[]] = [[], []];
  const code = await run(
    words,
    { ...noSettings, ...settings },
    (text) => said.push(text),
    (line) => told.push(line),
  );
  return { code, text: said.join('\n'), told };
}

export function trailCommand(...words: readonly string[]): Promise<OpsAnswer> {
  return opsCommand(['trail', ...words]);
}

/** @param now the time of the command */
export function reportCommand(now: string, ...words: readonly string[]): Promise<OpsAnswer> {
  return opsCommand(['report', ...words], { clock: new FakeClock(Date.parse(now)) });
}
