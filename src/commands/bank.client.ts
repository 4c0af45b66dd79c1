import { X509Certificate } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { text } from 'node:stream/consumers';
import type { BankAddress, BankAddressTls } from '../config/bank-address.js';
import { CommandFailed } from './command.js';

interface Told {
  readonly status: number;
  readonly body: string;
}

const patienceMs = 30_000;

export class BankClient {
  constructor(private readonly address: BankAddress) {}

  /** The answer's body. @throws CommandFailed with the gateway's message, or the reason why no answer came */
  async call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const { status, body: answer } = await this.ask(method, `/bank/v1${path}`, body);
    if (status >= 200 && status < 300) return JSON.parse(answer);
    if (status === 401) throw new CommandFailed(this.notAccepted());
    throw new CommandFailed(reason(status, answer));
  }

  private async ask(method: string, path: string, body: unknown): Promise<Told> {
    const { origin, credential, tls } = this.address;
    const content = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${credential}`,
      ...(content !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(content),
      }),
    };
    const options = { method, headers, agent: false, signal: AbortSignal.timeout(patienceMs) } as const;
    const url = new URL(path, origin);
    try {
      return await new Promise<Told>((resolve, reject) => {
        const request = tls ? httpsRequest(url, { ...options, ...trusting(tls) }) : httpRequest(url, options);
        request.once('error', reject);
        request.once('response', (answer) => {
          text(answer).then((told) => resolve({ status: answer.statusCode ?? 0, body: told }), reject);
        });
        request.end(content);
      });
    } catch (error) {
      throw new CommandFailed(this.silence(error));
    }
  }

  private notAccepted(): string {
    const certificate =
      this.address.tls === undefined ? '' : ', or BANK_CLIENT_CERT_FILE is not of its BANK_TLS_CLIENT_CA_FILE';
    return this.address.credentialSetting === 'BANK_CREDENTIAL'
      ? `BANK_CREDENTIAL is not the one of the gateway${certificate}`
      : `OPERATOR_CREDENTIAL is not that of an operator of the gateway${certificate}`;
  }

  private silence(error: unknown): string {
    const { origin } = this.address;
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof AnotherCertificate || /CERT|SELF_SIGNED|VERIFY/.test(code))
      return `the gateway at ${origin} does not show the certificate of BANK_TLS_CERT_FILE: name the one that it was started with`;
    const speaks = /^(EPROTO|ECONNRESET|HPE_|ERR_SSL)/.test(code) ? ', with the BANK_TLS_… settings that it has' : '';
    return `no gateway answers at ${origin}: start it, or set BANK_HOST and BANK_PORT${speaks}`;
  }
}

class AnotherCertificate extends Error {}

/**
 * Accepts the gateway's certificate only, whatever name or address the command calls, so that no other server gets the
 * credential.
 */
function trusting({ gateway, own }: BankAddressTls): ConnectionOptions {
  const leaf = new X509Certificate(gateway);
  return {
    ...own,
    ca: leaf.toString(),
    allowPartialTrustChain: true,
    checkServerIdentity: (_host, { raw }) => (leaf.raw.equals(raw) ? undefined : new AnotherCertificate()),
  };
}

function reason(status: number, body: string): string {
  try {
    const told = JSON.parse(body) as { Message?: unknown };
    if (typeof told.Message === 'string') return told.Message;
  } catch {
    // The answer does not come from a gateway.
  }
  return `the gateway answered ${status}`;
}
