import { X509Certificate } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { text } from 'node:stream/consumers';
import type { BankAddressTls, BankOrigin } from '../src/config/bank-address.js';
import { CommandFailed } from '../src/command-line/command.js';

export interface BankAnswer {
  readonly status: number;
  readonly body: string;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly content?: string | undefined;
}

const patienceMs = 30_000;

export class BankPort {
  constructor(private readonly address: BankOrigin) {}

  /** @throws CommandFailed with the reason why no answer came */
  async ask(path: string, { method = 'GET', headers = {}, content }: Sent = {}): Promise<BankAnswer> {
    const { origin, tls } = this.address;
    const options = { method, headers, agent: false, signal: AbortSignal.timeout(patienceMs) } as const;
    const url = new URL(path, origin);
    try {
      return await new Promise<BankAnswer>((resolve, reject) => {
        const request = tls ? httpsRequest(url, { ...options, ...trusting(tls) }) : httpRequest(url, options);
        request.once('error', reject);
        request.once('response', (answer) => {
          text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
        });
        request.end(content);
      });
    } catch (error) {
      throw new CommandFailed(silence(origin, error));
    }
  }
}

function silence(origin: string, error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof AnotherCertificate || /CERT|SELF_SIGNED|VERIFY/.test(code))
    return `the gateway at ${origin} does not show the certificate of BANK_TLS_CERT_FILE: name the certificate with which it was started`;
  const speaks = /^(EPROTO|ECONNRESET|HPE_|ERR_SSL)/.test(code) ? ', with the BANK_TLS_… settings that it has' : '';
  return `no gateway answers at ${origin}: start it, or set BANK_HOST and BANK_PORT${speaks}`;
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
