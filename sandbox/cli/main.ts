import { SystemClock } from '../../src/clock/clock.js';
import { endWithReader } from '../../src/commands/gone-reader.js';
import { BootError } from '../../src/config/boot-error.js';
import { FaultyStart } from '../faulty-start.js';
import { readSandboxConfig } from '../sandbox.config.js';
import { UsageError, readArguments } from './arguments.js';
import { run } from './commands.js';
import { StackClient } from './stack.client.js';

endWithReader();

try {
  const { command, json } = readArguments(process.argv.slice(2));
  const config = readSandboxConfig();
  const said = await run(command, new StackClient(config), config, new SystemClock(), (line) => {
    if (!json) console.log(line);
  });
  // What a consent holds is for a script, unless a person is there to read it.
  const forProgram = json || (command.name === 'consent' && !process.stdout.isTTY);
  console.log(forProgram ? JSON.stringify(said.json) : said.text);
} catch (error) {
  if (!(error instanceof UsageError || error instanceof FaultyStart || error instanceof BootError)) throw error;
  console.error(`sandbox: ${error.message}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
