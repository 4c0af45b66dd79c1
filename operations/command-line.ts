import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CommandFailed, UsageError, type CommandOutput } from '../src/commands/command.js';
import { printable, printableJson, printableLines } from '../src/open-banking/printable.js';
import { BootError } from '../src/config/boot-error.js';

interface Option {
  /** Its value in the usage text. */
  readonly value: string;
  readonly help: string;
  /** It may be given more than once. */
  readonly several?: true;
}

/** The words of a command line. */
export interface Given {
  readonly command: string;
  readonly operands: readonly string[];
  /** The values of each option, by its name; `[]` for one that was not given. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** @returns undefined where the option was not given */
export function optionOf({ options }: Given, name: string): string | undefined {
  return options[name]?.[0];
}

/** @throws UsageError where the option was not given */
export function neededOption(given: Given, name: string): string {
  const value = optionOf(given, name);
  if (value === undefined) throw new UsageError(`${given.command} needs --${name}`);
  return value;
}

/** A row of a table of commands. */
export interface Command {
  readonly help: string;
  /** The words that the command takes besides options, each of which it needs. */
  readonly operands?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  /** @param tell shows a line of progress */
  readonly run: (given: Given, tell: (line: string) => void) => CommandOutput | Promise<CommandOutput>;
}

export interface CommandTable {
  /** The npm script. */
  readonly name: string;
  readonly summary: string;
  readonly commands: Readonly<Record<string, Command>>;
  /** Options of every command. */
  readonly common: Readonly<Record<string, Option>>;
}

/** Carries a command of the table out. @returns the exit code: 0 done, 1 failed or at fault, 2 not a command, 3 an answer with gaps */
export async function runCommandLine(
  table: CommandTable,
  args: readonly string[],
  say: (text: string) => void,
  complainOf: (line: string) => void,
): Promise<number> {
  const complain = (line: string): void => complainOf(printable(line));
  try {
    const { values, positionals } = parsed(table, args);
    const { json, help, ...given } = values;
    const [name = '', ...operands] = positionals;
    if (help === true) {
      say(usageOf(table));
      return 0;
    }
    const command = Object.hasOwn(table.commands, name) ? table.commands[name] : undefined;
    if (command === undefined) throw new UsageError(noCommand(name, table));
    const options = { ...command.options, ...table.common };
    checkWords(name, command, operands, Object.keys(given), options);
    const output = await command.run({ command: name, operands, options: listsOf(options, given) }, complain);
    say(json === true ? printableJson(output.json) : printableLines(output.text));
    if (output.failed === true) return 1;
    return output.incomplete === true ? 3 : 0;
  } catch (error) {
    if (error instanceof UsageError) {
      complain(`${error.message}, see: npm run ${table.name} -- help`);
      return 2;
    }
    if (!(error instanceof CommandFailed || error instanceof BootError)) throw error;
    complain(error.message);
    return 1;
  }
}

function noCommand(name: string, { commands }: CommandTable): string {
  const known = Object.keys(commands).join(', ');
  return name === '' ? `name a command: ${known}` : `there is no command ${name}: the commands are ${known}`;
}

function parsed({ commands, common }: CommandTable, args: readonly string[]) {
  const known = Object.assign({}, common, ...Object.values(commands).map(({ options }) => options)) as object;
  const options = Object.fromEntries(
    Object.keys(known).map((name) => [name, { type: 'string', multiple: true }] as const),
  );
  const flags = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  return readWords(args, { allowPositionals: true, options: { ...options, ...flags } });
}

/** Reads the words with `parseArgs`; `help` is `--help`. @throws UsageError with the first sentence of its complaint */
export function readWords<Config extends ParseArgsConfig>(
  args: readonly string[],
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs<Config>({ ...config, args: args[0] === 'help' ? ['--help'] : [...args] });
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\.?\s*\n|\. /);
    throw new UsageError(sentence);
  }
}

function checkWords(
  name: string,
  { operands: needed = [] }: Command,
  operands: readonly string[],
  given: readonly string[],
  options: Readonly<Record<string, Option>>,
): void {
  const foreign = given.find((option) => !Object.hasOwn(options, option));
  if (foreign !== undefined) throw new UsageError(`${name} has no --${foreign}`);
  if (operands.length > needed.length) throw new UsageError(`${name} does not take "${operands[needed.length]}"`);
  const missing = needed[operands.length];
  if (missing !== undefined) throw new UsageError(`${name} needs ${missing}`);
}

function listsOf(
  options: Readonly<Record<string, Option>>,
  given: Readonly<Record<string, unknown>>,
): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { several }]) => {
      const values = (given[name] ?? []) as readonly string[];
      if (several === undefined && values.length > 1) throw new UsageError(`--${name} may be given once`);
      return [name, values];
    }),
  );
}

function usageOf({ name, summary, commands, common }: CommandTable): string {
  const rows = Object.entries(commands).flatMap(([command, { help, operands = [], options = {} }]) => [
    row(`  ${[command, ...operands].join(' ')}`, help),
    ...optionRows(options, '    '),
  ]);
  return [
    `npm run ${name} -- COMMAND`,
    '',
    summary,
    '',
    ...rows,
    '',
    'Every command takes:',
    ...optionRows(common, '  '),
    row('  --json', 'the answer for a program'),
  ].join('\n');
}

function optionRows(options: Readonly<Record<string, Option>>, indent: string): string[] {
  return Object.entries(options).map(([option, { value, help, several }]) =>
    row(`${indent}--${option} ${value}${several ? ' …' : ''}`, help),
  );
}

function row(left: string, help: string): string {
  return `${left.padEnd(34)} ${help}`;
}
