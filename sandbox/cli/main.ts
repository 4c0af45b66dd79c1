import { SystemClock } from '../../src/clock/clock.js';
import { endWithReader } from '../../src/commands/gone-reader.js';
import { BootError } from '../../src/config/boot-error.js';
import { keptClock } from '../clock/kept-time.js';
import { FaultyStart } from '../faulty-start.js';
import { withRunningStack } from '../running-stack.js';
import { environmentOfProcess, readSandboxConfig } from '../sandbox.config.js';
import { UsageError, readArguments } from './arguments.js';
import { run } from './commands.js';
import { StackClient } from './stack.client.js';

endWithReader();

try {
  const { command, json } = readArguments(process.argv.slice(2));
  const environment = environmentOfProcess();
  const config = readSandboxConfig(
    command.name === 'help' || command.name === 'version' ? environment : await withRunningStack(environment),
  );
  const tell = (line: string): void => {
    if (!json) console.log(line);
  };
  const bankClock = await keptClock(config.dataDir);
  const output = await run(command, new StackClient(config), config, new SystemClock(), tell, bankClock);
  // A script reads the output of `consent`, unless it goes to a terminal.
  const forProgram = json || (command.name === 'consent' && !process.stdout.isTTY);
  console.log(forProgram ? JSON.stringify(output.json) : output.text);
} catch (error) {
  if (!(error instanceof UsageError || error instanceof FaultyStart || error instanceof BootError)) throw error;
  console.error(`sandbox: ${error.message}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
