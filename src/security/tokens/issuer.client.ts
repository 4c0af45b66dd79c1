import { createSecureContext } from 'node:tls';
import type { HttpService } from '@nestjs/axios';
import { BootError } from '../../config/boot-error.js';
import { Destination, type OutgoingCall } from '../../outgoing/destination.js';
import type { AgentTerms } from '../../outgoing/http-service.js';
import { certificatesOf, readPem } from '../../config/pem-files.js';
import { IssuerUnreachable } from './token-issuer.js';

/** A key set or an introspection answer has a few KiB. */
const limits = { deadlineMs: 3_000, mostBytes: 512 * 1024 };
const json = { accept: 'application/json' };

export interface IssuerClientFiles {
  readonly certificateFile?: string;
  readonly keyFile?: string;
  readonly caFile?: string;
}

/** Calls an authorization server. Any answer except JSON with status 200 in time is an {@link IssuerUnreachable}. */
export class IssuerClient {
  private readonly destination: Destination;

  /** @throws BootError when a file holds no certificate or key */
  constructor(
    http: HttpService,
    private readonly files: IssuerClientFiles,
  ) {
    this.destination = new Destination(http, readCredentials(files));
  }

  /** Reads the files again. @returns a function that puts them to use @throws BootError; then nothing has changed */
  renew(): () => void {
    const credentials = readCredentials(this.files);
    return () => this.destination.use(credentials);
  }

  get(url: string): Promise<unknown> {
    return this.call({ url, headers: json, ...limits });
  }

  post(url: string, form: Readonly<Record<string, string>>): Promise<unknown> {
    return this.call({
      url,
      method: 'POST',
      headers: { ...json, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      ...limits,
    });
  }

  private async call(call: OutgoingCall): Promise<unknown> {
    const issuer = new URL(call.url).origin;
    const { status, body } = await this.destination.ask(call).catch((error: unknown) => {
      throw new IssuerUnreachable(`${issuer} is unreachable`, { cause: error, issuer });
    });
    if (status !== 200) throw new IssuerUnreachable(`${issuer} is unreachable`, { issuer, status });
    try {
      return JSON.parse(body.toString('utf8')) as unknown;
    } catch {
      // The parser's message quotes the answer, so it is not passed on.
      throw new IssuerUnreachable(`${issuer} answered 200 with something other than JSON`, { issuer });
    }
  }
}

function readCredentials(files: IssuerClientFiles): AgentTerms {
  const credentials = {
    ...(files.certificateFile !== undefined && { cert: pem(files.certificateFile) }),
    ...(files.keyFile !== undefined && { key: pem(files.keyFile) }),
    ...(files.caFile !== undefined && { ca: authorities(files.caFile) }),
  };
  try {
    createSecureContext(credentials);
  } catch {
    const names = Object.values(files).join(', ');
    throw new BootError(
      `ISSUERS_FILE: ${names} are not a certificate, its key and a certificate authority (PEM): name three files that belong together`,
    );
  }
  return credentials;
}

const named = (path: string) => ({ setting: 'ISSUERS_FILE:', path });

const pem = (path: string): Buffer => readPem(named(path));

function authorities(path: string): Buffer {
  const ca = pem(path);
  certificatesOf(named(path), ca);
  return ca;
}
