import { createSecureContext } from 'node:tls';
import { Agent } from 'undici';
import { BootError } from '../config/boot-error.js';
import { certificatesOf, readPem } from './pem-files.js';
import { IssuerUnreachable } from './token-issuer.js';

const patienceMs = 3_000;
/** A key set or an introspection answer is a few KiB. */
const maxAnswerBytes = 512 * 1024;
/** Of each process to one authorization server; what comes beyond waits for one, no longer than {@link patienceMs}. */
const maxConnections = 32;

export interface IssuerClientFiles {
  readonly certificateFile?: string;
  readonly keyFile?: string;
  readonly caFile?: string;
}

/** Calls an authorization server; anything but a JSON answer of status 200 in time is an {@link IssuerUnreachable}. */
export class IssuerClient {
  private readonly agent: Agent;

  /** Throws {@link BootError} when the files are not what they should be. */
  constructor(files: IssuerClientFiles) {
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
        `ISSUERS_FILE: ${names} are not a certificate, its own key and a certificate authority (PEM)`,
      );
    }
    this.agent = new Agent({
      connect: { ...credentials, timeout: patienceMs, minVersion: 'TLSv1.2' },
      maxResponseSize: maxAnswerBytes,
      connections: maxConnections,
    });
  }

  get(url: string): Promise<unknown> {
    return this.call(url, { method: 'GET' });
  }

  post(url: string, form: Readonly<Record<string, string>>): Promise<unknown> {
    return this.call(url, {
      method: 'POST',
      body: new URLSearchParams(form).toString(),
      contentType: 'application/x-www-form-urlencoded',
    });
  }

  private async call(
    url: string,
    { method, body, contentType }: { method: 'GET' | 'POST'; body?: string; contentType?: string },
  ): Promise<unknown> {
    const { origin, pathname, search } = new URL(url);
    try {
      const answer = await this.agent.request({
        origin,
        path: pathname + search,
        method,
        headers: { accept: 'application/json', ...(contentType && { 'content-type': contentType }) },
        body: body ?? null,
        signal: AbortSignal.timeout(patienceMs),
      });
      if (answer.statusCode === 200) return await answer.body.json();
      await answer.body.dump();
      throw new IssuerUnreachable(`${origin} cannot be asked`, { issuer: origin, status: answer.statusCode });
    } catch (error) {
      if (error instanceof IssuerUnreachable) throw error;
      throw new IssuerUnreachable(`${origin} cannot be asked`, { cause: error, issuer: origin });
    }
  }
}

const named = (path: string) => ({ setting: 'ISSUERS_FILE:', path });

const pem = (path: string): Buffer => readPem(named(path));

function authorities(path: string): Buffer {
  const ca = pem(path);
  certificatesOf(named(path), ca);
  return ca;
}
