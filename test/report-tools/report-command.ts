import { runCommandLine } from '../../operations/command-line.js';
import { reportCommands } from '../../operations/report/commands.js';
import { FakeClock } from '../support/fake-clock.js';

export interface ReportResult {
  readonly code: number;
  readonly text: string;
  readonly told: readonly string[];
}

/** `npm run report -- …` in this process, at a time. */
export async function reportCommand(now: string, ...args: readonly string[]): Promise<ReportResult> {
  const said: string[] = [];
  const told: string[] = [];
  const code = await runCommandLine(
    reportCommands(new FakeClock(Date.parse(now))),
    args,
    (text) => said.push(text),
    (line) => told.push(line),
  );
  return { code, text: said.join('\n'), told };
}
