import { run } from '../../ops/run.js';
import type { CarriedOut } from '../../ops/command-trail.js';
import { noSettings } from '../support/no-settings.js';

export interface CommandResult {
  readonly code: number;
  readonly text: string;
  /** The lines of progress and complaint. */
  readonly told: readonly string[];
  /** The commands that the trail of the gateways would record. */
  readonly recorded: readonly CarriedOut[];
}

/** `npm run ops -- trail …` in this process. */
export async function trailCommand(...args: readonly string[]): Promise<CommandResult> {
  const said: string[] = [];
  const told: string[] = [];
  const recorded: CarriedOut[] = [];
  const record = async (command: CarriedOut): Promise<void> => void recorded.push(command);
  const code = await run(
    ['trail', ...args],
    { ...noSettings, record },
    (text) => said.push(text),
    (line) => told.push(line),
  );
  return { code, text: said.join('\n'), told, recorded };
}
