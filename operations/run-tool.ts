import { endWithReader } from '../src/commands/gone-reader.js';

/** Runs a tool with the words of the process, and ends the process with the tool's exit code. */
export async function runTool(
  name: string,
  tool: (args: readonly string[], say: (text: string) => void, complain: (line: string) => void) => Promise<number>,
): Promise<void> {
  endWithReader();
  process.exitCode = await tool(
    process.argv.slice(2),
    (text) => process.stdout.write(`${text}\n`),
    (line) => process.stderr.write(`${name}: ${line}\n`),
  );
}
