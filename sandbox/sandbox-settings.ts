import { declaredSettings, settingsOf } from '../src/config/setting.js';
import { matching, oneOf, port, text } from '../src/config/setting-kinds.js';

const sandbox = settingsOf('The sandbox');

/** The settings that the sandbox alone reads: none of them is in the gateway's image. */
class SandboxEnvironment {
  @sandbox('Address on which the sandbox bank and the sandbox’s TPP listen.', text) SANDBOX_HOST = '127.0.0.1';
  @sandbox('Port of the sandbox bank.', port) SANDBOX_PORT = 3002;
  @sandbox('Port of the sandbox’s TPP, a web page.', port) TPP_PORT = 3005;
  @sandbox('Port of the console, on this machine’s own address only, or in a container on `SANDBOX_HOST`.', port)
  CONSOLE_PORT = 3006;
  @sandbox(
    'With another core than the sandbox’s: references of its customers, in place of the sandbox’s people. With `CORES` a customer who has another reference at a core: `C1003 cards=77`.',
    matching('references with commas between them', /^/, 'must be references of customers'),
  )
  SANDBOX_CUSTOMERS?: string;
  @sandbox(
    'Where the processes of `npm start` write their log: `file` is a file below `DATA_DIR`, which the start names.',
    oneOf(['file', 'stdout']),
  )
  SANDBOX_LOG = 'file';
}

export const sandboxSettings = declaredSettings(SandboxEnvironment);
