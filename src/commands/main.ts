import { readBankAddress } from '../config/bank-address.js';
import { run } from './run.js';

process.exitCode = await run(
  process.argv.slice(2),
  readBankAddress,
  (text) => console.log(text),
  (line) => console.error(`gateway: ${line}`),
);
