import { endWithReader } from '../../src/commands/gone-reader.js';
import { runCommandLine } from '../command-line.js';
import { trailCommands } from './commands.js';

endWithReader();
process.exitCode = await runCommandLine(
  trailCommands,
  process.argv.slice(2),
  (text) => console.log(text),
  (line) => console.error(`trail: ${line}`),
);
