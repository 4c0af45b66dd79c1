import { readBankAddress } from '../config/bank-address.js';
import { endWithReader } from './gone-reader.js';
import { run } from './run.js';

endWithReader();
process.exitCode = await run(
  process.argv.slice(2),
  readBankAddress,
  (text) => console.log(text),
  (line) => console.error(`gateway: ${line}`),
);
