import { Command } from 'commander';
import { runCommandLine } from '../src/command-line/command-line.js';
import { addAcceptKey } from './accept-key.command.js';
import { addCases } from './cases/cases.command.js';
import type { CommandContext, CommandSettings } from './command-settings.js';
import { addErase } from './erase.command.js';
import { addFeed } from './feed.command.js';
import { addKeys } from './keys.command.js';
import { addMigrate } from './migrate.command.js';
import { addOperators } from './operators.command.js';
import { addOutages } from './outages.command.js';
import { addRecover } from './recover.command.js';
import { addReport } from './report/report.command.js';
import { addRetention } from './retention.command.js';
import { addStatus } from './status/status.command.js';
import { addTpps } from './tpps.command.js';
import { addTrail } from './trail/trail.command.js';

/** Each heading of the help with its commands, in their order. */
const commands: readonly (readonly [string, readonly ((program: Command, context: CommandContext) => void)[]])[] = [
  ['Asked of a running gateway, at its bank port:', [addStatus, addTpps, addKeys, addOutages, addCases, addOperators]],
  ['Read from the decision trail:', [addTrail, addReport]],
  ['Done in the database itself:', [addMigrate, addRetention, addErase, addAcceptKey, addRecover]],
  ['Done in the copy of a core that delivers files:', [addFeed]],
];

const settings = `
The settings are those of the gateway, from the same environment.

At the bank port: BANK_HOST, BANK_PORT, OPERATOR_CREDENTIAL, and with TLS BANK_TLS_CERT_FILE. Where the gateway asks for a
certificate: BANK_CLIENT_CERT_FILE and BANK_CLIENT_KEY_FILE. Until the first admin was added, BANK_CREDENTIAL is enough for
tpps, keys, outages and operators.
In the database: DATABASE_URL or DATA_DIR, each command under a role of deploy/postgresql/roles.sql.
In the trail: TRAIL_DIR or DATA_DIR.`;

/** Carries a command of the operators out. @returns the exit code */
export function run(
  words: readonly string[],
  given: CommandSettings,
  say: (text: string) => void,
  complain: (line: string) => void,
): Promise<number> {
  return runCommandLine(
    (shown) => {
      const program = new Command('npm run ops --')
        .description('The commands of the gateway’s operators.')
        .option('--json', 'the answer for a program')
        .addHelpText('after', settings);
      for (const [heading, adds] of commands) {
        program.commandsGroup(heading);
        for (const add of adds) add(program, { ...given, ...shown });
      }
      return program;
    },
    words,
    say,
    complain,
  );
}
