import { parseArgs } from 'node:util';
import { type ShownRead, shownReads } from './shown-reads.js';
import { ToolError } from './tool-error.js';

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'report'; readonly adapter?: string }
  | { readonly name: 'new' | 'new-sign-on'; readonly adapter: string; readonly into?: string }
  | { readonly name: 'check'; readonly adapter: string }
  | {
      readonly name: 'preview';
      readonly adapter: string;
      readonly customer: string;
      readonly account?: string;
      readonly read?: ShownRead;
      readonly rows?: number;
    };

export const usage = `Tools for engineers who add a core or a sign-on.

  adapter new NAME                          an adapter that compiles, its line in the registry, and a kit that fails
      [--into FOLDER]                       in a separate repository: no line in the registry
  adapter new-sign-on NAME                  the same for the bank's sign-on
      [--into FOLDER]
  adapter check NAME                        the kit, clause by clause
  adapter report [NAME]                     this adapter, or every one of this repository, by every clause, as a table
  adapter preview NAME --customer REF       the core's records of each read, one by one, with the adapter's records and
      [--account REF] [--read READ]         the resources that they become
      [--rows N]                            (default: 3 records of each read)

NAME may be a path: of a separate repository's folder, or of its compiled module NAME.adapter.js, which has its kit
NAME.kit.js next to it. preview reads CORE_URL, CORE_CONNECTIONS and the adapter's own CORE_* settings, as the gateway does.`;

/** Throws {@link ToolError} when the arguments are not a command. */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const [name, adapter, ...rest] = positionals;
  if (values.help === true || name === undefined || name === 'help') return { name: 'help' };
  if (rest.length > 0) throw new ToolError(`${rest.join(' ')}: not understood; see \`npm run adapter -- help\``);
  if (name === 'report') return { name, adapter };
  if (adapter === undefined) throw new ToolError(`${name} needs the name of an adapter`);
  const { customer, account, read, rows, into } = values;
  switch (name) {
    case 'new':
    case 'new-sign-on':
      return { name, adapter, into };
    case 'check':
      return { name, adapter };
    case 'preview':
      return { name, adapter, customer: needed(customer), account, read: shownRead(read), rows: rowCount(rows) };
    default:
      throw new ToolError(`${name} is not a command; see \`npm run adapter -- help\``);
  }
}

function needed(customer: string | undefined): string {
  if (customer === undefined) throw new ToolError('--customer REF: say whose accounts');
  return customer;
}

function shownRead(read: string | undefined): ShownRead | undefined {
  const known = shownReads.find((one) => one === read);
  if (read !== undefined && known === undefined)
    throw new ToolError(`--read ${read} is not known: say one of ${shownReads.join(', ')}`);
  return known;
}

function rowCount(rows: string | undefined): number | undefined {
  if (rows !== undefined && !/^[1-9]\d{0,4}$/.test(rows))
    throw new ToolError(`--rows ${rows}: say a number from 1 to 99999`);
  return rows === undefined ? undefined : Number(rows);
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    const options = {
      help: { type: 'boolean' },
      customer: text,
      account: text,
      read: text,
      rows: text,
      into: text,
    } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new ToolError((error as Error).message.split('\n')[0] ?? '');
  }
}
