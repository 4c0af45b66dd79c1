import { BankClient } from '../../src/commands/bank.client.js';
import { endWithReader } from '../../src/commands/gone-reader.js';
import { readOperatorAddress } from '../../src/config/bank-address.js';
import { runCommandLine } from '../command-line.js';
import { changeCommands } from './commands.js';

endWithReader();
process.exitCode = await runCommandLine(
  changeCommands(() => new BankClient(readOperatorAddress())),
  process.argv.slice(2),
  (text) => console.log(text),
  (line) => console.error(`changes: ${line}`),
);
