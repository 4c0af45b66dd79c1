import type { HttpService } from '@nestjs/axios';
import { Destination } from '../outgoing/destination.js';
import { SystemUnreachable } from '../outgoing/system-unreachable.js';
import { isHttpsUrl } from './strict-url.policy.js';

/** A key set or a statement has a few KiB. */
export const maxDocumentBytes = 512 * 1024;

/** The document is not available now. The message contains neither its address nor its content. */
export class DocumentUnavailable extends SystemUnreachable {
  override readonly name = 'DocumentUnavailable';
}

/** The server did not answer at all. */
export class DocumentServerSilent extends DocumentUnavailable {}

export interface DocumentTerms {
  readonly accept: string;
  readonly mostBytes: number;
  readonly deadlineMs: number;
}

/** The bank configures these addresses, which may be in its network. */
interface TrustedDocuments {
  isDirectoryUrl(url: string): boolean;
  read(url: string, terms: DocumentTerms): Promise<Buffer | undefined>;
}

/** Reads documents at URLs that TPPs state: over TLS and from the public internet, or from the configured directory. */
export class TppDocumentClient {
  private readonly destination: Destination;

  constructor(
    http: HttpService,
    private readonly directory: TrustedDocuments | undefined,
  ) {
    this.destination = new Destination(http, { publicOnly: true });
  }

  /** `undefined` when the server has no such document. @throws DocumentUnavailable */
  async read(url: string, terms: DocumentTerms): Promise<Buffer | undefined> {
    if (this.directory?.isDirectoryUrl(url) === true) return this.directory.read(url, terms);
    if (!isHttpsUrl(url)) throw new DocumentUnavailable('not an https URL');
    return readDocument(this.destination, url, terms);
  }
}

/** `undefined` when the server answers that the document does not exist (any more). @throws DocumentUnavailable */
export async function readDocument(
  destination: Destination,
  url: string,
  { accept, ...limits }: DocumentTerms,
): Promise<Buffer | undefined> {
  const answer = await destination.ask({ url, headers: { accept }, ...limits }).catch((error: unknown) => {
    throw new DocumentServerSilent('no answer', { cause: error });
  });
  if (answer.status === 200) return answer.body;
  if (answer.status === 404 || answer.status === 410) return undefined;
  throw new DocumentUnavailable(`answered ${answer.status}`);
}
