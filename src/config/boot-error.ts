/** The gateway cannot start. The message is one line: the fault and its remedy, without any secret. */
export class BootError extends Error {
  override readonly name = 'BootError';
}
