import { endWithReader } from '../../src/command-line/gone-reader.js';
import { BootError } from '../../src/config/boot-error.js';
import { Stack } from '../clients/stack.js';
import { keptClock } from '../clock/kept-time.js';
import { FaultyStart } from '../faulty-start.js';
import { withRunningStack } from '../running-stack.js';
import { environmentOfProcess, readSandboxConfig } from '../sandbox.config.js';
import { UsageError } from './arguments.js';
import { readCommand } from './commands.js';

endWithReader();

try {
  const { name, json, jsonInPipe, run } = readCommand(process.argv.slice(2));
  const environment = environmentOfProcess();
  const needsStack = name !== 'help' && name !== 'version';
  const config = readSandboxConfig(needsStack ? await withRunningStack(environment) : environment);
  const output = await run(new Stack(config, await keptClock(config.dataDir)), (line) => {
    if (!json) console.log(line);
  });
  // A script reads the output of `consent`, unless it goes to a terminal.
  const forProgram = json || (jsonInPipe === true && !process.stdout.isTTY);
  console.log(forProgram ? JSON.stringify(output.json) : output.text);
} catch (error) {
  if (!(error instanceof UsageError || error instanceof FaultyStart || error instanceof BootError)) throw error;
  console.error(`sandbox: ${error.message}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
