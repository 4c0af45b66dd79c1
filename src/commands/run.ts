import { parseArgs } from 'node:util';
import { BootError } from '../config/boot-error.js';
import { printable, printableJson, printableLines } from '../open-banking/printable.js';
import { acceptKeyCommand } from './accept-key.command.js';
import { BankClient } from './bank.client.js';
import type { CarriedOut } from './command-trail.js';
import { CommandFailed, UsageError, type CommandOutput, type CommandSettings } from './command.js';
import { eraseCommand } from './erase.command.js';
import { feedCommand } from './feed.command.js';
import { keysCommand } from './keys.command.js';
import { migrateCommand } from './migrate.command.js';
import { recoverCommand } from './recover.command.js';
import { retentionCommand } from './retention.command.js';
import { tppsCommand } from './tpps.command.js';

const options = {
  issuer: { type: 'string' },
  since: { type: 'string' },
  trail: { type: 'string', multiple: true },
  delivery: { type: 'string' },
  contract: { type: 'boolean' },
  withdraw: { type: 'boolean' },
} as const;
type Options = Readonly<{ issuer?: string; since?: string; trail?: string[]; delivery?: string }> &
  Readonly<{ contract?: boolean; withdraw?: boolean }>;

interface Command {
  /** Its words, for a person who mistyped them. */
  readonly form: string;
  /** The options that it knows. */
  readonly options?: readonly (keyof Options)[];
  /** The command in its event of the trail; absent where a gateway carries the command out, and records it. */
  readonly recordedAs?: string;
  carryOut(operands: readonly string[], options: Options, settings: CommandSettings): Promise<CommandOutput>;
}

const commands: Readonly<Record<string, Command>> = {
  tpps: {
    form: 'tpps list | add FILE | suspend ID | reinstate ID | revoke-consents ID [--issuer ISSUER]',
    options: ['issuer'],
    carryOut: (operands, { issuer }, { operator }) => tppsCommand(operands, () => new BankClient(operator()), issuer),
  },
  keys: {
    form: 'keys rotate',
    carryOut: (operands, _options, { operator }) => keysCommand(operands, () => new BankClient(operator())),
  },
  'accept-key': {
    form: 'accept-key ID_KEY | PSEUDONYM_KEY | TRAIL_KEY',
    recordedAs: 'accept-key',
    carryOut: (operands, _options, settings) => acceptKeyCommand(operands, settings),
  },
  recover: {
    form: 'recover --since T [--trail DIR]...',
    recordedAs: 'recover',
    options: ['since', 'trail'],
    carryOut: (operands, given, settings) => alone(operands, () => recoverCommand(given, settings)),
  },
  feed: {
    form: 'feed load --delivery DIR',
    recordedAs: 'feed load',
    options: ['delivery'],
    carryOut: (operands, { delivery }, settings) => feedCommand(operands, delivery, settings),
  },
  migrate: {
    form: 'migrate [--contract]',
    recordedAs: 'migrate',
    options: ['contract'],
    carryOut: (operands, { contract = false }, settings) => alone(operands, () => migrateCommand(contract, settings)),
  },
  retention: {
    form: 'retention',
    recordedAs: 'retention',
    carryOut: (operands, _options, settings) => alone(operands, () => retentionCommand(settings)),
  },
  erase: {
    form: 'erase customer REF [--withdraw]',
    recordedAs: 'erase customer',
    options: ['withdraw'],
    carryOut: (operands, { withdraw = false }, settings) => eraseCommand(operands, withdraw, settings),
  },
};

/** For a command without operands. */
function alone<T>(operands: readonly string[], carryOut: () => T): T {
  if (operands.length > 0) throw new UsageError();
  return carryOut();
}

export const usage = `Commands of the gateway's operators, to a gateway that runs.

  tpps list                 the TPPs that are registered, and those that the bank has suspended
  tpps add FILE             registers the TPPs of a JSON file, or changes their registrations
  tpps suspend ID           every token and request of the TPP fails at once, with any issuer; its consents stay
  tpps reinstate ID         ends that
  tpps revoke-consents ID   every consent that the TPP has created is revoked at once, and for good
  --issuer ISSUER           with the last three: the issuer of the TPP's tokens, as tpps list names it. Needed where more than
                            one issuer may have a TPP with this client id
  keys rotate               gives every algorithm a new signing key

They need the role operate in OPERATOR_CREDENTIAL (npm run operators); until the first admin was added, BANK_CREDENTIAL is
enough. The other settings are those of the gateway: BANK_HOST, BANK_PORT, and with TLS BANK_TLS_CERT_FILE. Where it asks for
a certificate: BANK_CLIENT_CERT_FILE and BANK_CLIENT_KEY_FILE.

Commands on the database itself, DATABASE_URL or DATA_DIR, each under a role of deploy/postgresql/roles.sql:

  migrate                   as the owner: applies the missing migrations on which the previous release runs too
  migrate --contract        also the others, once no process of the previous release runs
  retention                 as the maintenance role, daily: erases the customers of consents that ended RETENTION_DAYS ago, and
                            removes consents that ended twice as long ago; with TRAIL_RETENTION_DAYS and TRAIL_KEY,
                            on each machine with a TRAIL_DIR, drops the days of the trail past that term
  erase customer REF        as the maintenance role: erases a customer from all consents; refused while one gives access
  --withdraw                with erase: the gateway withdraws these first. It needs the settings above, and BANK_CREDENTIAL

As the serving role, with the key that a gateway will have:

  accept-key SETTING        gateways start with the key of ID_KEY, PSEUDONYM_KEY or TRAIL_KEY, to which the data of the
                            database do not belong; without this they refuse to

As the serving role before a gateway serves it, with its TRAIL_KEY:

  recover --since T         withdraws again what was withdrawn since T, after a backup was restored; T is a date-time with
                            its zone, no later than the backup's
  --trail DIR               a folder of the trail, in place of TRAIL_DIR: name that of each instance

A command on the copy of a core that is delivered in files, with CORE, CORE_URL and the core's own settings of the gateway:

  feed load --delivery DIR          takes the delivery in the folder whole, and every gateway reads it from then on; or
                                    refuses it, and says why

Each takes --json.`;

/** The forms of the command that was meant, or of all. */
function formsOf([name = '']: readonly string[]): string {
  const meant = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return (
    meant?.form ??
    Object.values(commands)
      .map(({ form }) => form)
      .join('; ')
  );
}

/** Carries a command out. @returns the exit code: 0 done, 1 failed, 2 not a command */
export async function run(
  args: readonly string[],
  settings: CommandSettings,
  say: (text: string) => void,
  complainOf: (line: string) => void,
): Promise<number> {
  const complain = (line: string): void => complainOf(printable(line));
  try {
    const { words, json, help, given } = parse(args);
    // The npm script of a command gives the first word.
    if (help || words.slice(0, 2).includes('help')) {
      say(usage);
      return 0;
    }
    const said = await runCommand(words, given, settings, complain);
    say(json ? printableJson(said.json) : printableLines(said.text));
    return said.failed === true ? 1 : 0;
  } catch (error) {
    if (error instanceof UsageError) {
      complain(`that is not a command: ${formsOf(args)}; --help says more`);
      return 2;
    }
    if (!(error instanceof CommandFailed || error instanceof BootError)) throw error;
    complain(error.message);
    return 1;
  }
}

async function runCommand(
  [name = '', ...operands]: readonly string[],
  given: Options,
  settings: CommandSettings,
  complain: (line: string) => void,
): Promise<CommandOutput> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError();
  const known: readonly string[] = command.options ?? [];
  if (Object.keys(given).some((option) => !known.includes(option))) throw new UsageError();
  const { recordedAs } = command;
  if (recordedAs === undefined) return command.carryOut(operands, given, settings);
  const customerRef = name === 'erase' ? operands[1] : undefined;
  // The work is done, or not: that its event is missing changes neither.
  const record = (outcome: CarriedOut['outcome']) =>
    settings
      .record({ command: recordedAs, outcome, customerRef })
      .catch((error: Error) => complain(`the command is not in the decision trail: ${error.message}`));
  try {
    const said = await command.carryOut(operands, given, settings);
    await record(said.failed === true ? 'failed' : 'done');
    return said;
  } catch (error) {
    if (!(error instanceof UsageError)) await record('failed');
    throw error;
  }
}

interface Parsed {
  readonly words: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
  readonly given: Options;
}

function parse(args: readonly string[]): Parsed {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    const { json = false, help = false, ...given } = values;
    return { words: positionals, json, help, given };
  } catch {
    throw new UsageError();
  }
}
