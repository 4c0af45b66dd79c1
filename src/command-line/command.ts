/** A command could not be carried out. The message is one line for the person who gave it. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';

  /** @param exitCode of the command line */
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** The words are not a command, as the message says in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The output of a command: for a program, and for a person. */
export interface CommandOutput {
  readonly json: unknown;
  readonly text: string;
  /** A part of the work was not done, which the text reports: the command ends with exit code 1. */
  readonly failed?: boolean;
  /** The answer covers a part of the question alone, as the text reports: the command ends with exit code 3. */
  readonly incomplete?: boolean;
  /** Goes as JSON into a pipe or a file, where a script reads it. */
  readonly jsonInPipe?: boolean;
}
