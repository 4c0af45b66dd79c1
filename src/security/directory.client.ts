import { Agent, fetch, type RequestInit } from 'undici';
import type { DirectoryConfig } from '../config/config.js';
import { certificatesOf, readPem } from './pem-files.js';
import { maxAnswerBytes } from './public-fetch.client.js';
import { NotToBeHad, readDocument } from './stated-document.client.js';
import { statedOrigin } from './stated-url.policy.js';

const patienceMs = 3_000;

/** Fetches what the directory has: an address that the bank configured, which may be in its own network. */
export class DirectoryClient {
  private readonly own: ReadonlySet<string>;
  private readonly agent: Agent;

  constructor(private readonly config: DirectoryConfig) {
    const urls = [config.jwks, config.statements].filter((url) => url !== undefined && /^https?:/i.test(url));
    this.own = new Set(urls.map((url) => new URL(url ?? '').origin));
    const ca = config.caFile === undefined ? undefined : readCertificates(config.caFile);
    this.agent = new Agent({
      connect: { timeout: patienceMs, minVersion: 'TLSv1.2', ...(ca && { ca }) },
      maxResponseSize: maxAnswerBytes,
    });
  }

  /** Whether the URL is one of the directory's own. */
  isOwn(url: string): boolean {
    return this.own.has(statedOrigin(url) ?? '');
  }

  /** For what is the directory's {@link isOwn}. */
  readonly fetch = (url: string, options: object | undefined): Promise<Response> =>
    fetch(url, { ...(options as RequestInit), dispatcher: this.agent }) as Promise<unknown> as Promise<Response>;

  /** What the directory states of the software now; `undefined` when it knows it no more. @throws NotToBeHad */
  async statement(softwareId: string): Promise<string | undefined> {
    const { statements } = this.config;
    if (statements === undefined) throw new NotToBeHad('the directory is not configured to be asked');
    const url = statements.replace('{software_id}', encodeURIComponent(softwareId));
    const terms = { accept: 'application/jwt', mostBytes: maxAnswerBytes, patienceMs };
    return (await readDocument(this.fetch, url, terms))?.toString('utf8').trim();
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

function readCertificates(path: string): Buffer {
  const file = { setting: 'DIRECTORY_CA_FILE', path };
  const pem = readPem(file);
  certificatesOf(file, pem);
  return pem;
}
