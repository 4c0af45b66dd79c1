import type { BankAddress } from '../src/config/bank-address.js';
import { BankPort, type BankAnswer } from './bank-port.js';
import { CommandFailed } from '../src/command-line/command.js';

export class BankClient {
  private readonly port: BankPort;

  constructor(private readonly address: BankAddress) {
    this.port = new BankPort(address);
  }

  /** The answer's body. @throws CommandFailed with the gateway's message, or the reason why no answer came */
  async call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const { status, body: answer } = await this.ask(method, `/bank/v1${path}`, body);
    if (status >= 200 && status < 300) return JSON.parse(answer);
    if (status === 401) throw new CommandFailed(this.notAccepted());
    throw new CommandFailed(reason(status, answer));
  }

  private ask(method: string, path: string, body: unknown): Promise<BankAnswer> {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.address.credential}`,
      ...(content !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(content),
      }),
    };
    return this.port.ask(path, { method, headers, content });
  }

  private notAccepted(): string {
    const certificate =
      this.address.tls === undefined ? '' : ', or BANK_CLIENT_CERT_FILE is not of its BANK_TLS_CLIENT_CA_FILE';
    return this.address.credentialSetting === 'BANK_CREDENTIAL'
      ? `BANK_CREDENTIAL is not the one of the gateway${certificate}`
      : `OPERATOR_CREDENTIAL is not that of an operator of the gateway${certificate}`;
  }
}

function reason(status: number, body: string): string {
  try {
    const answer = JSON.parse(body) as { Message?: unknown };
    if (typeof answer.Message === 'string') return answer.Message;
  } catch {
    // The answer does not come from a gateway.
  }
  return `the gateway answered ${status}`;
}
