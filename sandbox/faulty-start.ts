/** Something of the sandbox cannot start or go on. The message is one line: what is wrong and how to mend it. */
export class FaultyStart extends Error {
  override readonly name = 'FaultyStart';
}
