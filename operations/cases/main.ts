import { endWithReader } from '../../src/commands/gone-reader.js';
import { runCommandLine } from '../command-line.js';
import { casesCommands } from './commands.js';

endWithReader();
process.exitCode = await runCommandLine(
  casesCommands(),
  process.argv.slice(2),
  (text) => console.log(text),
  (line) => console.error(`cases: ${line}`),
);
