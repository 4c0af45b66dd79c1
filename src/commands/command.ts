/** A command could not be carried out. The message is one line for who gave it. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** The command line is not a command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The output of a command: for a program, and for a person. */
export interface CommandOutput {
  readonly json: unknown;
  readonly text: string;
  /** Something was left undone, which the text tells: the command ends with exit code 1. */
  readonly failed?: boolean;
}
