import type { Stack } from '../../sandbox/clients/stack.js';
import { sandboxProgram } from '../../sandbox/cli/program.js';
import type { CommandOutput } from '../../src/command-line/command.js';

/** The answer of the sandbox's command with these words, to a stack that runs. It throws what the command throws. */
export async function sandboxCommand(words: readonly string[], stack: Stack): Promise<CommandOutput> {
  const answers: CommandOutput[] = [];
  const answer = (output: CommandOutput): void => void answers.push(output);
  const program = sandboxProgram({ stack: () => Promise.resolve(stack), answer, note: () => undefined });
  await program.parseAsync(words, { from: 'user' });
  const [output] = answers;
  if (output === undefined) throw new Error('the command gave no answer');
  return output;
}
