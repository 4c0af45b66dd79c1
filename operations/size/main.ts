import { endWithReader } from '../../src/commands/gone-reader.js';
import { sizeCommand } from './command.js';

endWithReader();
process.exitCode = await sizeCommand(
  process.argv.slice(2),
  (text) => console.log(text),
  (line) => console.error(`size: ${line}`),
);
