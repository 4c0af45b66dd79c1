import { endWithReader } from '../../src/commands/gone-reader.js';
import { runCommandLine } from '../command-line.js';
import { operatorsCommands } from './commands.js';

endWithReader();
process.exitCode = await runCommandLine(
  operatorsCommands(),
  process.argv.slice(2),
  (text) => console.log(text),
  (line) => console.error(`operators: ${line}`),
);
