/** A part of the sandbox cannot start or go on. The message is one line that names the fault and its remedy. */
export class FaultyStart extends Error {
  override readonly name = 'FaultyStart';
}

/** @param setting the environment variable that says which port */
export function portInUse(port: number, setting: string): FaultyStart {
  return new FaultyStart(`port ${port} is in use: stop what uses it or set ${setting}`);
}

/** Node's code of a fault, such as `EADDRINUSE`; `undefined` for other errors. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** A file or folder that the sandbox cannot use, as a {@link FaultyStart}; any other error is returned unchanged. */
export function unusable(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof FaultyStart || code === undefined) return error;
  return new FaultyStart(`${path} cannot be used (${code}): make it readable and writable, or set DATA_DIR`);
}
