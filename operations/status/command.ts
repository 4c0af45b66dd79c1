import { SystemClock } from '../../src/clock/clock.js';
import { BankPort } from '../../src/commands/bank-port.js';
import { CommandFailed, UsageError } from '../../src/commands/command.js';
import { BootError } from '../../src/config/boot-error.js';
import { readBankOrigin } from '../../src/config/bank-address.js';
import { printableJson, printableLines } from '../../src/open-banking/printable.js';
import { readWords } from '../command-line.js';
import { askInstance, readinessOf } from './instance.js';
import { statusOf } from './status.js';
import { statusText } from './text.js';

const usage = `npm run status

When do certificates end, and is it safe to restart the gateway now? Asks the gateway at BANK_HOST and BANK_PORT (default
127.0.0.1:3001), and needs no credential.

  --instance ORIGIN …   another gateway of the same database, by its bank port, e.g. http://10.0.0.2:3001
  --json                the answer for a program

Ends with 0 where a restart is safe, with 1 where it is not, and with 2 where the gateway cannot be asked.`;

/** @returns the exit code */
export async function statusCommand(
  args: readonly string[],
  say: (text: string) => void,
  complain: (line: string) => void,
  variables?: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  try {
    const { instance, json, help } = optionsOf(args);
    if (help === true) {
      say(usage);
      return 0;
    }
    const address = readBankOrigin(variables);
    const origins = (instance ?? []).map(originOf);
    const [asked, ...ready] = await Promise.all([
      askInstance(new BankPort(address)),
      ...origins.map((origin) => readinessOf(new BankPort({ ...address, origin }))),
    ]);
    const others = origins.map((origin, index) => ({
      origin,
      ready: ready[index] === 'ready',
      answers: ready[index] !== 'no answer',
    }));
    const status = statusOf(asked, others, new SystemClock().nowMs());
    const { origin } = address;
    say(json === true ? printableJson({ origin, ...status }) : printableLines(statusText(origin, status)));
    return status.safeToRestart ? 0 : 1;
  } catch (error) {
    if (error instanceof UsageError) complain(`${error.message}, see: npm run status -- help`);
    else if (error instanceof CommandFailed || error instanceof BootError) complain(error.message);
    else throw error;
    return 2;
  }
}

function optionsOf(args: readonly string[]) {
  const options = {
    instance: { type: 'string', multiple: true },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  return readWords(args, { options }).values;
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CommandFailed(`--instance ${text}: say an origin, such as http://10.0.0.2:3001`);
  return url.origin;
}
