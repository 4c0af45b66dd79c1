import { runCommandLine } from '../../src/command-line/command-line.js';
import { endWithReader } from '../../src/command-line/gone-reader.js';
import { Stack } from '../clients/stack.js';
import { keptClock } from '../clock/kept-time.js';
import { FaultyStart } from '../faulty-start.js';
import { withRunningStack } from '../running-stack.js';
import { environmentOfProcess, readSandboxConfig } from '../sandbox.config.js';
import { sandboxProgram } from './program.js';

async function stack(): Promise<Stack> {
  const config = readSandboxConfig(await withRunningStack(environmentOfProcess()));
  return new Stack(config, await keptClock(config.dataDir));
}

endWithReader();
const words = process.argv.slice(2);
process.exitCode = await runCommandLine(
  ({ answer }) => {
    const note = (line: string): void => {
      if (program.opts()['json'] !== true) console.log(line);
    };
    const program = sandboxProgram({ stack, answer, note });
    return program;
  },
  words,
  (text) => console.log(text),
  (line) => console.error(`sandbox: ${line}`),
  (error) => error instanceof FaultyStart,
);
