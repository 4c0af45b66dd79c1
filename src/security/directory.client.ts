import type { HttpService } from '@nestjs/axios';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { DirectoryConfig } from '../config/config.js';
import { Destination } from '../outgoing/destination.js';
import { certificatesOf, readPem } from '../config/pem-files.js';
import { strictOrigin } from './strict-url.policy.js';
import { DocumentUnavailable, maxDocumentBytes, readDocument, type DocumentTerms } from './tpp-document.client.js';

const statementTerms = { accept: 'application/jwt', mostBytes: maxDocumentBytes, deadlineMs: 3_000 };

/** Reads the directory's documents. The bank configured its addresses, which may be in the bank's own network. */
export class DirectoryClient implements OnApplicationShutdown {
  private readonly origins: ReadonlySet<string>;
  private readonly destination: Destination;

  /** @throws BootError when the file of its authorities cannot be used */
  constructor(
    http: HttpService,
    private readonly config: DirectoryConfig,
  ) {
    const urls = [config.jwks, config.statements].filter((url) => url !== undefined && /^https?:/i.test(url));
    this.origins = new Set(urls.map((url) => new URL(url ?? '').origin));
    const { caFile } = config;
    this.destination = new Destination(http, caFile === undefined ? {} : { ca: readCertificates(caFile) });
  }

  /** Whether the URL leads to a configured server of the directory. */
  isDirectoryUrl(url: string): boolean {
    return this.origins.has(strictOrigin(url) ?? '');
  }

  /** Reads a document at a URL of which {@link isDirectoryUrl} is true. @throws DocumentUnavailable */
  read(url: string, terms: DocumentTerms): Promise<Buffer | undefined> {
    return readDocument(this.destination, url, terms);
  }

  /**
   * The directory's present statement of the software; `undefined` when the directory does not know it any more. @throws
   * DocumentUnavailable
   */
  async statement(softwareId: string): Promise<string | undefined> {
    const { statements } = this.config;
    if (statements === undefined) throw new DocumentUnavailable('the directory has no configured URL of statements');
    const url = statements.replace('{software_id}', encodeURIComponent(softwareId));
    return (await this.read(url, statementTerms))?.toString('utf8').trim();
  }

  onApplicationShutdown(): void {
    this.destination.close();
  }
}

function readCertificates(path: string): Buffer {
  const file = { setting: 'DIRECTORY_CA_FILE', path };
  const pem = readPem(file);
  certificatesOf(file, pem);
  return pem;
}
