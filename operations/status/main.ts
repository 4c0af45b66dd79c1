import { endWithReader } from '../../src/commands/gone-reader.js';
import { statusCommand } from './command.js';

endWithReader();
process.exitCode = await statusCommand(
  process.argv.slice(2),
  (text) => console.log(text),
  (line) => console.error(`status: ${line}`),
);
