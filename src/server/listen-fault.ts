import { BootError } from '../config/boot-error.js';

/** Says in one line how to mend a listener that cannot open its port. Any other error stays as it is. */
export function listenFault(error: unknown, host: string, port: number, setting: string, hostSetting: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new BootError(`port ${port} is in use: stop what uses it, or set ${setting}`);
    case 'EACCES':
      return new BootError(`port ${port} may not be used by this user: set ${setting} to another`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new BootError(`the address ${host} is not one of this machine: set ${hostSetting}`);
    default:
      return error;
  }
}
