import type { CommandOutput } from '../src/command-line/command.js';
import type { CommandContext } from './command-settings.js';
import type { CarriedOut } from './command-trail.js';

/** Carries out a command that no gateway records, because it works past them; and records it, done or failed. */
export async function recorded(
  { record, note }: CommandContext,
  command: Omit<CarriedOut, 'outcome'>,
  carryOut: () => Promise<CommandOutput>,
): Promise<CommandOutput> {
  // The work is done, or not: that its event is missing changes neither.
  const recordAs = (outcome: CarriedOut['outcome']) =>
    record({ ...command, outcome }).catch((error: Error) =>
      note(`the command was not recorded in the decision trail: ${error.message}`),
    );
  try {
    const output = await carryOut();
    await recordAs(output.failed === true ? 'failed' : 'done');
    return output;
  } catch (error) {
    await recordAs('failed');
    throw error;
  }
}
