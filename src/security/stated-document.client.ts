import { publicFetch } from './public-fetch.client.js';
import { isHttpsUrl } from './stated-url.policy.js';

/** What was asked cannot be had now. The message names neither address nor content. */
export class NotToBeHad extends Error {
  override readonly name = 'NotToBeHad';
}

type Fetch = (url: string, options: object) => Promise<Response>;

export interface DocumentTerms {
  readonly accept: string;
  readonly mostBytes: number;
  readonly patienceMs: number;
}

/** The one whom the bank has configured: its documents may be in the bank's own network. */
interface Trusted {
  isOwn(url: string): boolean;
  readonly fetch: Fetch;
}

/** Reads what TPPs state is somewhere: over TLS and from the public internet, or from the configured directory. */
export class StatedDocuments {
  constructor(private readonly directory: Trusted | undefined) {}

  /** `undefined` when nothing is there. @throws NotToBeHad */
  async read(url: string, terms: DocumentTerms): Promise<Buffer | undefined> {
    const trusted = this.directory?.isOwn(url) === true ? this.directory : undefined;
    if (trusted === undefined && !isHttpsUrl(url)) throw new NotToBeHad('not an https URL');
    return readDocument((...asked) => (trusted?.fetch ?? publicFetch)(...asked), url, terms);
  }
}

/**
 * Reads what somebody else has told us is at a URL: whole, in time, not larger than `mostBytes`, and from there alone.
 * `undefined` when nothing is there (any more). @throws NotToBeHad
 */
export async function readDocument(fetch: Fetch, url: string, terms: DocumentTerms): Promise<Buffer | undefined> {
  try {
    const answer = await fetch(url, {
      headers: { accept: terms.accept },
      redirect: 'error',
      signal: AbortSignal.timeout(terms.patienceMs),
    });
    if (answer.status === 200) return await limited(answer, terms.mostBytes);
    await answer.body?.cancel();
    if (answer.status === 404 || answer.status === 410) return undefined;
    throw new NotToBeHad(`answered ${answer.status}`);
  } catch (error) {
    throw error instanceof NotToBeHad ? error : new NotToBeHad('no answer', { cause: error });
  }
}

/** The agents count what came, which may be packed; this counts what it unpacks to. */
async function limited(answer: Response, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new NotToBeHad(`larger than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
