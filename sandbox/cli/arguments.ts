import { parseArgs } from 'node:util';
import type { Stack } from '../clients/stack.js';
import { codeOf } from '../faulty-start.js';

/** The command line cannot be understood. The message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The answer of a command: for a program, and for a person. */
export interface CommandOutput {
  readonly json: unknown;
  readonly text: string;
}

/** The words of a command line, by the names of the options; the word without an option has the name `''`. */
export type Values = Readonly<Record<string, string | undefined>>;

interface Option {
  /** Its value in the usage text. An option without one is a switch, whose value is `''`. */
  readonly value?: string;
  /** The only values. */
  readonly oneOf?: readonly string[];
  /** Ends the sentence "the command needs …" about a missing option. */
  readonly needed?: string;
  /** The name of the option that may be given in its place. */
  readonly instead?: string;
  readonly help?: string;
}

interface CommandParts {
  /** For the usage text. */
  readonly help: string;
  /** The word that the command takes besides options. */
  readonly operand?: Option & { readonly value: string };
  readonly options?: Readonly<Record<string, Option>>;
  /** Writes JSON into a pipe or a file, even without `--json`. */
  readonly jsonInPipe?: boolean;
}

type Run = (stack: Stack, tell: (line: string) => void) => Promise<CommandOutput>;

export interface Command extends CommandParts {
  readonly bind: (values: Values) => { readonly given: unknown; readonly run: Run };
}

/** A command line that was understood. */
export interface ReadCommand extends Pick<CommandParts, 'jsonInPipe'> {
  readonly name: string;
  readonly given: unknown;
  readonly json: boolean;
  readonly run: Run;
}

/** A row of the table of commands. `read` throws {@link UsageError} for values that it cannot use. */
export function command<Given>({
  read,
  run,
  ...parts
}: CommandParts & {
  readonly read: (values: Values) => Given;
  readonly run: (stack: Stack, given: Given, tell: (line: string) => void) => Promise<CommandOutput>;
}): Command {
  return {
    ...parts,
    bind: (values) => {
      const given = read(values);
      return { given, run: (stack, tell) => run(stack, given, tell) };
    },
  };
}

/** Throws {@link UsageError} for a line that is no command of the table. */
export function readArguments(table: Readonly<Record<string, Command>>, args: readonly string[]): ReadCommand {
  const { values, positionals } = parse(table, args);
  const { json = false, help, version, ...given } = values;
  const isHelp = help === true || positionals[0] === 'help';
  const asked = version === true ? ['version'] : isHelp ? ['help'] : positionals;
  if (asked.length === 0) throw new UsageError('which command? See: sandbox help');
  // The name of a command is one word or two, such as `tpp new`.
  const [name, operands] = [2, 1]
    .map((words) => [asked.slice(0, words).join(' '), asked.slice(words)] as const)
    .find(([words]) => Object.hasOwn(table, words)) ?? [asked.join(' '), []];
  const found = table[name];
  if (found === undefined) throw new UsageError(noSuchCommand(name, table));
  const bound = found.bind(checked(name, found, operands, isHelp || version === true ? {} : texts(given)));
  return { name, json: json === true, jsonInPipe: found.jsonInPipe, ...bound };
}

function noSuchCommand(name: string, table: object): string {
  const longer = Object.keys(table).filter((known) => known.startsWith(`${name} `));
  return longer.length > 0
    ? `${name} is the first word of: ${longer.join(', ')}`
    : `there is no command ${name}, see: sandbox help`;
}

/** The usage text of the commands, in their order. */
export function usageOf(table: Readonly<Record<string, Command>>): string {
  return Object.entries(table)
    .flatMap(([name, { help, operand, options = {} }]) => {
      const words = Object.entries(options).map(([flag, { value }]) => (value ? `--${flag} ${value}` : `--${flag}`));
      const needed = words.filter((_, index) => Object.values(options)[index]?.needed !== undefined);
      const line = ['  sandbox', name, operand?.value, ...needed].filter(Boolean).join(' ');
      const optional = Object.values(options).flatMap(({ help: said = '', needed: must }, index) =>
        must === undefined ? entry(`      [${words[index]}]`, said) : [],
      );
      return [...entry(line, help), ...optional];
    })
    .join('\n');
}

const helpColumn = 40;

/** A long left column has its help below. */
function entry(left: string, help: string): string[] {
  const [first = '', ...more] = help.split('\n').map((line) => ' '.repeat(helpColumn) + line);
  return left.length < helpColumn ? [left + first.slice(left.length), ...more] : [left, first, ...more];
}

function parse(table: Readonly<Record<string, Command>>, args: readonly string[]) {
  const known = Object.assign({}, ...Object.values(table).map(({ options }) => options)) as Record<string, Option>;
  const options = Object.entries(known).map(
    ([flag, { value }]) => [flag, { type: value === undefined ? 'boolean' : 'string' }] as const,
  );
  const common = {
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...Object.fromEntries(options), ...common },
    });
  } catch (error) {
    if (codeOf(error)?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    // The first sentence only: Node's advice after it does not fit here.
    const [sentence] = (error as Error).message.split(/\.?\s*\n|\. /);
    throw new UsageError(`${sentence}, see: sandbox help`);
  }
}

function texts(values: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(
    Object.entries(values).map(([flag, value]) => [flag, typeof value === 'string' ? value : '']),
  );
}

/** The words of the line, where the command takes them and misses none. */
function checked(name: string, { operand, options = {} }: Command, operands: readonly string[], flags: Values): Values {
  const foreign = Object.keys(flags).find((flag) => !Object.hasOwn(options, flag));
  if (foreign !== undefined) throw new UsageError(`${name} has no --${foreign}, see: sandbox help`);
  const surplus = operands[operand === undefined ? 0 : 1];
  if (surplus !== undefined) throw new UsageError(`${name} does not take "${surplus}", see: sandbox help`);
  const values: Values = { ...flags, ...(operand !== undefined && { '': operands[0] }) };
  for (const [flag, { needed, oneOf, instead = flag }] of Object.entries({
    ...options,
    ...(operand !== undefined && { '': operand }),
  })) {
    const value = values[flag];
    if (needed !== undefined && !value && !values[instead]) throw new UsageError(`${name} needs ${needed}`);
    if (instead !== flag && value !== undefined && values[instead] !== undefined)
      throw new UsageError(`${name} takes --${flag} or --${instead}, not both`);
    if (oneOf !== undefined && value !== undefined && !oneOf.includes(value))
      throw new UsageError(`--${flag} is one of ${oneOf.join(', ')}`);
  }
  return values;
}
