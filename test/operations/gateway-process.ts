import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayCommand } from '../../sandbox/gateway-command.js';
import { startSandboxBank, type SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import { freePort } from '../support/free-port.js';
import { Program, statusAt } from '../support/program.js';
import { trailKeys } from '../support/trail-keys.js';

export const bankCredential = 'operations-bank-credential-0123456789';
/** Long, because no assertion depends on it and a busy machine is slow. */
export const patienceMs = 60_000;

export async function startBank(): Promise<SandboxBank> {
  return startSandboxBank({ port: 0, credential: bankCredential, issuerKeys: await makeIssuerKeys() });
}

export interface GatewayPorts {
  readonly port: number;
  readonly bankPort: number;
}

export async function freePorts(): Promise<GatewayPorts> {
  const [port, bankPort] = await Promise.all([freePort(), freePort()]);
  return { port, bankPort };
}

/** With it, the second start of a program takes less time of the processor, because Node has compiled the program before. */
export const compileCache = (): NodeJS.ProcessEnv => ({ NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache') });

/** The settings that a gateway without the embedded authorization server needs. */
export function environmentOf(
  bank: SandboxBank,
  { port, bankPort }: GatewayPorts,
  settings: NodeJS.ProcessEnv = {},
): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...compileCache(),
    PORT: String(port),
    BANK_PORT: String(bankPort),
    AUTHORISATION_SERVER: 'none',
    CORE_URL: bank.coreUrl,
    TOKEN_ISSUER: bank.issuer,
    TOKEN_AUDIENCE: bank.audience,
    TOKEN_JWKS: bank.jwksUrl,
    BANK_CREDENTIAL: bankCredential,
    ID_KEY: 'operations-id-key-0123456789abcdef0123',
    ...trailKeys,
    STOP_DELAY_SECONDS: '0',
    ...settings,
  };
}

export interface StartOptions {
  /** The command, run in the project's folder. Default: the built gateway. */
  readonly command?: readonly string[];
  /** Whether its standard output is read, into `output`, or discarded; with false it is a pipe that no process reads. */
  readonly reads?: boolean | 'nothing';
  /** In addition to those of the built gateway. */
  readonly nodeOptions?: readonly string[];
  /** The start waits for it: an answer of the port for health, the record "ready", or the end. Default: ready. */
  readonly until?: 'live' | 'ready' | 'record' | 'end';
}

interface LogRecord {
  readonly level: number;
  readonly msg: string;
  readonly fault?: string;
}

/** A gateway in a separate process. */
export class GatewayProcess extends Program {
  readonly ports: GatewayPorts;

  private constructor(command: readonly string[], environment: NodeJS.ProcessEnv, stdout: 'ignore' | 'pipe') {
    super(command, environment, { stdio: ['ignore', stdout, 'pipe'] });
    this.ports = { port: Number(environment['PORT']), bankPort: Number(environment['BANK_PORT']) };
  }

  static async start(
    environment: NodeJS.ProcessEnv,
    { command, nodeOptions = [], reads = true, until = 'ready' }: StartOptions = {},
  ): Promise<GatewayProcess> {
    const built = [process.execPath, ...gatewayCommand.nodeOptions, ...nodeOptions, 'dist/gateway/main.js'];
    const gateway = new GatewayProcess(command ?? built, environment, reads === 'nothing' ? 'ignore' : 'pipe');
    if (reads === true) gateway.read();
    if (until === 'end') await once(gateway.child, 'close');
    else
      await gateway.becomes(async () =>
        until === 'record' ? gateway.records(/^ready$/).length > 0 : (await gateway.health(until)) === 200,
      );
    return gateway;
  }

  /** The records of its log so far whose message fits. */
  records(message: RegExp): LogRecord[] {
    const lines = this.output.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
    return lines.map((line) => JSON.parse(line) as LogRecord).filter(({ msg }) => message.test(msg));
  }

  /** The status of `/health/ready`; undefined where no answer comes. */
  readiness(): Promise<number | undefined> {
    return this.health('ready');
  }

  private health(name: 'live' | 'ready'): Promise<number | undefined> {
    return statusAt(`http://127.0.0.1:${this.ports.bankPort}/health/${name}`);
  }
}
