import { connect } from 'node:net';
import { portInUse } from './faulty-start.js';
import type { SandboxConfig } from './sandbox.config.js';

/** Checked first, because a process that already listens there would be taken for a part of this stack. */
export async function refuseTakenPorts(config: SandboxConfig): Promise<void> {
  const { port, bankPort, sandboxPort, browserPort, mtlsPort, tppPort, consolePort } = config;
  const ports = {
    PORT: port,
    BANK_PORT: bankPort,
    SANDBOX_PORT: sandboxPort,
    CONSOLE_PORT: consolePort,
    ...(config.authorisationServer === 'embedded' && {
      BROWSER_PORT: browserPort,
      MTLS_PORT: mtlsPort,
      TPP_PORT: tppPort,
    }),
  };
  for (const [setting, number] of Object.entries(ports)) if (await isTaken(number)) throw portInUse(number, setting);
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
