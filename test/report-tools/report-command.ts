import { run } from '../../ops/run.js';
import { FakeClock } from '../support/fake-clock.js';
import { noSettings } from '../support/no-settings.js';

export interface ReportResult {
  readonly code: number;
  readonly text: string;
  readonly told: readonly string[];
}

/** `npm run ops -- report …` in this process, at a time. */
export async function reportCommand(now: string, ...args: readonly string[]): Promise<ReportResult> {
  const said: string[] = [];
  const told: string[] = [];
  const code = await run(
    ['report', ...args],
    { ...noSettings, clock: new FakeClock(Date.parse(now)) },
    (text) => said.push(text),
    (line) => told.push(line),
  );
  return { code, text: said.join('\n'), told };
}
