import { trailCommands } from '../../operations/trail/commands.js';
import { runCommandLine } from '../../operations/command-line.js';

export interface CommandResult {
  readonly code: number;
  readonly text: string;
  /** The lines of progress and complaint. */
  readonly told: readonly string[];
}

/** `npm run trail -- …` in this process. */
export async function trailCommand(...args: readonly string[]): Promise<CommandResult> {
  const said: string[] = [];
  const told: string[] = [];
  const code = await runCommandLine(
    trailCommands,
    args,
    (text) => said.push(text),
    (line) => told.push(line),
  );
  return { code, text: said.join('\n'), told };
}
