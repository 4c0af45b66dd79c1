import { parseArgs } from 'node:util';
import type { BankAddress } from '../config/bank-address.js';
import { BootError } from '../config/boot-error.js';
import { BankClient } from './bank.client.js';
import { CommandFailed, UsageError, type Said } from './command.js';
import { keysCommand } from './keys.command.js';
import { tppsCommand } from './tpps.command.js';

const commands: Readonly<Record<string, (operands: readonly string[], bank: BankClient) => Promise<Said>>> = {
  tpps: tppsCommand,
  keys: keysCommand,
};

export const usage = `Commands of the gateway's operators, to a gateway that runs.

  tpps list           the registered TPPs
  tpps add FILE       registers the TPPs of a JSON file, or changes their registrations
  tpps suspend ID     every token and request of the TPP fails at once; its consents stay
  tpps reinstate ID   ends that
  keys rotate         gives every algorithm a new signing key

Each takes --json. The settings are those of the gateway: BANK_HOST, BANK_PORT, BANK_CREDENTIAL.`;

/** Carries a command out. @returns the exit code: 0 done, 1 failed, 2 not a command */
export async function run(
  args: readonly string[],
  gateway: () => BankAddress,
  say: (text: string) => void,
  complain: (line: string) => void,
): Promise<number> {
  try {
    const { operands, json, help } = parse(args);
    if (help) {
      say(usage);
      return 0;
    }
    const [name = '', ...rest] = operands;
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw new UsageError();
    const said = await command(rest, new BankClient(gateway()));
    say(json ? JSON.stringify(said.json) : said.text);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      complain(
        'that is not a command: tpps list | add FILE | suspend ID | reinstate ID; keys rotate; --help says more',
      );
      return 2;
    }
    if (!(error instanceof CommandFailed || error instanceof BootError)) throw error;
    complain(error.message);
    return 1;
  }
}

function parse(args: readonly string[]): { operands: readonly string[]; json: boolean; help: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    return { operands: positionals, json: values.json ?? false, help: values.help ?? false };
  } catch {
    throw new UsageError();
  }
}
