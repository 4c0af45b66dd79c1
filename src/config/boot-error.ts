/** The gateway cannot start. The message is one line: what is wrong and how to mend it, without any secret. */
export class BootError extends Error {
  override readonly name = 'BootError';
}
