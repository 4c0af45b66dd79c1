/** The answer of a command: for a program, and for a person. */
export interface CommandOutput {
  readonly json: unknown;
  readonly text: string;
}
