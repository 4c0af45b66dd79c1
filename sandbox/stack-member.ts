import { FaultyStart, codeOf, portInUse } from './faulty-start.js';

/**
 * Runs a process of the stack until SIGTERM, until Ctrl-C, or until the process that started it has gone.
 * @param start resolves to a function that ends the work of the process
 */
export async function runMember(name: string, start: () => Promise<() => Promise<void>>): Promise<void> {
  // Ctrl-C reaches every process of the terminal. Under `npm start` the parent says when to stop, because the gateway is
  // still answering and needs the others.
  if (process.connected) process.on('SIGINT', () => undefined);
  try {
    const close = await start();
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      void close().then(() => process.exit(0));
    };
    process.on('SIGTERM', stop);
    if (!process.connected) process.on('SIGINT', stop);
    process.once('disconnect', stop);
  } catch (error) {
    if (!(error instanceof FaultyStart)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(1);
  }
}

/** A fault of listening on the port, as a {@link FaultyStart} that names the settings; any other error is unchanged. */
export function listenFault(error: unknown, host: string, port: number, setting: string): unknown {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') return portInUse(port, setting);
  if (code === 'EACCES') return new FaultyStart(`port ${port} may not be used: set ${setting} to one above 1023`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new FaultyStart(`${host} is not an address of this machine: set SANDBOX_HOST`);
  return error;
}
