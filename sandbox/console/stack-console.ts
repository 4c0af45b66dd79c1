import type { FastifyInstance } from 'fastify';
import type { ServiceRules } from '../../src/profiles/service-rules.js';
import { Stack } from '../clients/stack.js';
import type { SandboxClock } from '../clock/sandbox-clock.js';
import { StackTime } from '../clock/stack-time.js';
import type { SandboxConfig } from '../sandbox.config.js';
import { listenFault } from '../stack-member.js';
import type { StackProcess } from '../stack-process.js';
import { createConsole } from './console-server.js';
import { RequestLog } from './request-log.js';

interface ConsoleProcesses {
  readonly gateway: StackProcess;
  readonly bank: StackProcess;
  /** Others that show the bank's time. */
  readonly others: readonly StackProcess[];
}

/** The console of a stack whose processes this process has started. They report to it and take their time from it. */
export function consoleOf(
  config: SandboxConfig,
  rules: ServiceRules,
  clock: SandboxClock,
  processes: ConsoleProcesses,
): FastifyInstance {
  const { gateway, bank, others } = processes;
  const requests = new RequestLog(config.hasOwnCore);
  gateway.onReport((report) => requests.take('gateway', report));
  bank.onReport((report) => requests.take('bank', report));
  const time = new StackTime(clock, config.dataDir, async (aheadMs) => {
    await Promise.all([gateway, bank, ...others].map((running) => running.moveTime({ aheadMs })));
  });
  return createConsole({
    requests,
    time,
    stack: new Stack(config, clock),
    windows: {
      windowMs: rules.authenticationWindowSeconds * 1_000,
      exemptHistoryMs: rules.exemptHistoryDays * 86_400_000,
    },
    links: linksOf(config),
  });
}

/**
 * This machine's own address, whatever the settings say of the other ports: the console acts as the bank's staff without a
 * password. In a container the published port has that address, and the console the one of the container.
 */
export function consoleHost({ sandboxHost }: Pick<SandboxConfig, 'sandboxHost'>, isContainer: boolean): string {
  return isContainer ? sandboxHost : '127.0.0.1';
}

export async function listenForConsole(server: FastifyInstance, host: string, port: number): Promise<void> {
  await server.listen({ port, host }).catch((error: unknown) => {
    throw listenFault(error, host, port, 'CONSOLE_PORT');
  });
}

function linksOf(config: SandboxConfig): { name: string; url: string }[] {
  const embedded = [
    { name: 'Moneyview, a TPP that shows your accounts', url: config.tppUrl },
    { name: 'The bank’s access dashboard', url: `${config.browserUrl}/as/dashboard` },
  ];
  return [
    ...(config.authorisationServer === 'embedded' ? embedded : []),
    { name: 'Documentation of the API', url: `${config.baseUrl}/docs` },
    { name: 'The bank’s inbox', url: `http://localhost:${config.sandboxPort}/inbox` },
  ];
}
