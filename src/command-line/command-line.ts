import { type Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import { BootError } from '../config/boot-error.js';
import { printable, printableJson, printableLines } from '../open-banking/printable.js';
import { CommandFailed, type CommandOutput, UsageError } from './command.js';

/** The ways in which the action of a command speaks to the person. */
export interface ActionOutput {
  /** Shows the answer, which decides the exit code. */
  readonly answer: (output: CommandOutput) => void;
  /** Shows a line of progress. */
  readonly note: (line: string) => void;
}

/** The table of all commands needs more than the 80 columns of a terminal. */
const helpWidth = 120;

/**
 * Carries out the command that the words name.
 * @param build makes the program; its name is the words that people type before a command: `npm run ops --`
 * @param say shows an answer
 * @param complain shows a line of progress, or of a fault
 * @param isFailure whether the message of another error than CommandFailed and BootError is for the person
 * @returns the exit code: 0 done, 1 failed or at fault, 2 not a command, 3 an answer with gaps
 */
export async function runCommandLine(
  build: (shown: ActionOutput) => Command,
  words: readonly string[],
  say: (text: string) => void,
  complain: (line: string) => void,
  isFailure: (error: unknown) => boolean = () => false,
): Promise<number> {
  const note = (line: string): void => complain(printable(line));
  let output: CommandOutput | undefined;
  const program = build({ answer: (given) => (output = given), note });
  let meant = program;
  program.hook('preAction', (_, command) => {
    meant = command;
  });
  for (const command of withSubcommands(program))
    prepare(command, say).exitOverride((error) => {
      meant = command;
      throw error;
    });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof CommanderError || error instanceof UsageError) {
      note(`${complaintOf(error, meant)}, see: ${typed(meant)} --help`);
      return 2;
    }
    if (!(error instanceof CommandFailed || error instanceof BootError || isFailure(error))) throw error;
    note((error as Error).message);
    return error instanceof CommandFailed ? error.exitCode : 1;
  }
  if (output === undefined) return 0;
  const { json, text, failed, incomplete, jsonInPipe } = output;
  const isForProgram = program.opts()['json'] === true || (jsonInPipe === true && !process.stdout.isTTY);
  say(isForProgram ? printableJson(json) : printableLines(text));
  if (failed === true) return 1;
  return incomplete === true ? 3 : 0;
}

/** An option that may be given more than once: its value is a list. */
export function several(flags: string, help: string): Option {
  return new Option(flags, `${help}; it may be given more than once`).argParser(
    (value: string, former: readonly string[] = []) => [...former, value],
  );
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function prepare(command: Command, say: (text: string) => void): Command {
  if (command.parent !== null && command.helpGroup() === '') command.helpGroup(command.parent.helpGroup());
  for (const option of command.options) if (option.required && option.parseArg === undefined) once(option);
  return command
    .configureHelp({ showGlobalOptions: true, subcommandTerm, formatHelp })
    .configureOutput({
      writeOut: (text) => say(text.trimEnd()),
      writeErr: () => undefined,
      getOutHelpWidth: () => helpWidth,
    });
}

/** A second value would silently replace the first. */
function once(option: Option): void {
  let isGiven = false;
  option.argParser((value: string) => {
    if (isGiven) throw new InvalidArgumentError('It may be given once.');
    isGiven = true;
    return value;
  });
}

function complaintOf(error: CommanderError | UsageError, { commands }: Command): string {
  if (error instanceof CommanderError && error.code === 'commander.help')
    return `name a command: ${commands.map((command) => command.name()).join(', ')}`;
  return error.message
    .replace(/^error: /, '')
    .replace(/[.]$/, '')
    .replaceAll('\n', ' ');
}

/** The words that people type for a command: `npm run ops -- trail why`. */
function typed(command: Command): string {
  return command.parent === null ? command.name() : `${typed(command.parent)} ${command.name()}`;
}

/** The help of a program or a group lists every command below it; the nearest word is one of the commands right below. */
function formatHelp(command: Command, help: Help): string {
  return Help.prototype.formatHelp.call(help, command, Object.assign(help, { visibleCommands }));
}

function visibleCommands({ commands }: Command): Command[] {
  return commands.flatMap((command) => (command.commands.length === 0 ? [command] : visibleCommands(command)));
}

/** For example `report explain <FIGURE> --day <D>`: without the options that may be omitted. */
function subcommandTerm(command: Command): string {
  const group = command.parent?.parent ? [command.parent.name()] : [];
  const words = command.registeredArguments.map((word) => (word.required ? `<${word.name()}>` : `[${word.name()}]`));
  const needed = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  return [...group, command.name(), ...words, ...needed].join(' ');
}
