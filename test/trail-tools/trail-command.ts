import { run } from '../../ops/run.js';
import { noSettings } from '../support/no-settings.js';

export interface CommandResult {
  readonly code: number;
  readonly text: string;
  /** The lines of progress and complaint. */
  readonly told: readonly string[];
}

/** `npm run ops -- trail …` in this process. */
export async function trailCommand(...args: readonly string[]): Promise<CommandResult> {
  const said: string[] = [];
  const told: string[] = [];
  const code = await run(
    ['trail', ...args],
    noSettings,
    (text) => said.push(text),
    (line) => told.push(line),
  );
  return { code, text: said.join('\n'), told };
}
