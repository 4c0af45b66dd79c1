import { SystemClock } from '../../src/clock/clock.js';
import { endWithReader } from '../../src/commands/gone-reader.js';
import { runCommandLine } from '../command-line.js';
import { reportCommands } from './commands.js';

endWithReader();
process.exitCode = await runCommandLine(
  reportCommands(new SystemClock()),
  process.argv.slice(2),
  (text) => console.log(text),
  (line) => console.error(`report: ${line}`),
);
