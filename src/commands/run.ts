import { parseArgs } from 'node:util';
import { BootError } from '../config/boot-error.js';
import { BankClient } from './bank.client.js';
import { CommandFailed, UsageError, type CommandOutput, type CommandSettings } from './command.js';
import { feedCommand } from './feed.command.js';
import { keysCommand } from './keys.command.js';
import { recoverCommand, type RecoverOptions } from './recover.command.js';
import { tppsCommand } from './tpps.command.js';

const commands: Readonly<
  Record<string, (operands: readonly string[], bank: BankClient, issuer: string | undefined) => Promise<CommandOutput>>
> = {
  tpps: tppsCommand,
  keys: (operands, bank, issuer) => {
    if (issuer !== undefined) throw new UsageError();
    return keysCommand(operands, bank);
  },
};

export const usage = `Commands of the gateway's operators, to a gateway that runs.

  tpps list                 the TPPs that are registered, and those that the bank has suspended
  tpps add FILE             registers the TPPs of a JSON file, or changes their registrations
  tpps suspend ID           every token and request of the TPP fails at once, with any issuer; its consents stay
  tpps reinstate ID         ends that
  tpps revoke-consents ID   every consent that the TPP has created is revoked at once, and for good
  --issuer ISSUER           with the last three: the issuer of the TPP's tokens, as tpps list names it. Needed where more than
                            one issuer may have a TPP with this client id
  keys rotate               gives every algorithm a new signing key

The settings are those of the gateway: BANK_HOST, BANK_PORT, BANK_CREDENTIAL, and with TLS BANK_TLS_CERT_FILE. Where it
asks for a certificate: BANK_CLIENT_CERT_FILE and BANK_CLIENT_KEY_FILE.

A command on the database itself, DATABASE_URL or DATA_DIR, before a gateway serves it, with its REVOCATION_JOURNAL_KEY:

  recover --journal DIR --since T   makes the withdrawals of REVOCATION_JOURNAL since T true again, after a backup was
                                    restored; T is a date-time with its zone, no later than the backup's

A command on the copy of a core that is delivered in files, with CORE, CORE_URL and the core's own settings of the gateway:

  feed load --delivery DIR          takes the delivery in the folder whole, and every gateway reads it from then on; or
                                    refuses it, and says why

Each takes --json.`;

/** Carries a command out. @returns the exit code: 0 done, 1 failed, 2 not a command */
export async function run(
  args: readonly string[],
  settings: CommandSettings,
  say: (text: string) => void,
  complain: (line: string) => void,
): Promise<number> {
  try {
    const { operands, json, help, ...options } = parse(args);
    if (help) {
      say(usage);
      return 0;
    }
    const said = await runCommand(operands, options, settings);
    say(json ? JSON.stringify(said.json) : said.text);
    return said.failed === true ? 1 : 0;
  } catch (error) {
    if (error instanceof UsageError) {
      complain(
        'that is not a command: tpps list | add FILE | suspend ID | reinstate ID | revoke-consents ID [--issuer ISSUER]; keys rotate; ' +
          'recover --journal DIR --since T; feed load --delivery DIR; --help says more',
      );
      return 2;
    }
    if (!(error instanceof CommandFailed || error instanceof BootError)) throw error;
    complain(error.message);
    return 1;
  }
}

function runCommand(
  [name = '', ...operands]: readonly string[],
  { recover, issuer, delivery }: Pick<Parsed, 'recover' | 'issuer' | 'delivery'>,
  settings: CommandSettings,
): Promise<CommandOutput> {
  const recovers = recover.journal !== undefined || recover.since !== undefined;
  if (name === 'feed' && issuer === undefined && !recovers) return feedCommand(operands, delivery, settings);
  if (delivery !== undefined) throw new UsageError();
  if (name === 'recover' && operands.length === 0 && issuer === undefined) return recoverCommand(recover, settings);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined || recovers) throw new UsageError();
  return command(operands, new BankClient(settings.gateway()), issuer);
}

interface Parsed {
  readonly operands: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
  readonly recover: RecoverOptions;
  readonly issuer: string | undefined;
  readonly delivery: string | undefined;
}

function parse(args: readonly string[]): Parsed {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        journal: { type: 'string' },
        since: { type: 'string' },
        issuer: { type: 'string' },
        delivery: { type: 'string' },
      },
    });
    const { json = false, help = false, journal, since, issuer, delivery } = values;
    return { operands: positionals, json, help, recover: { journal, since }, issuer, delivery };
  } catch {
    throw new UsageError();
  }
}
