/** Something of the sandbox cannot start or go on. The message is one line: what is wrong and how to mend it. */
export class FaultyStart extends Error {
  override readonly name = 'FaultyStart';
}

/** @param setting the environment variable that says which port */
export function portInUse(port: number, setting: string): FaultyStart {
  return new FaultyStart(`port ${port} is in use: stop what uses it or set ${setting}`);
}

/** The code by which Node names a fault, such as `EADDRINUSE`; none on an error that is not Node's. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** A file or folder that the sandbox cannot use, as a {@link FaultyStart}; an error that is not the file system's, as it is. */
export function unusable(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof FaultyStart || code === undefined) return error;
  return new FaultyStart(`${path} cannot be used (${code}): make it readable and writable, or set DATA_DIR`);
}
