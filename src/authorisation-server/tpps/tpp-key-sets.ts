import type { JSONWebKeySet, JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock/clock.js';
import { DocumentUnavailable } from '../../security/tpp-document.client.js';

/** The age at which a set is read again: a new key is accepted after it, and a removed one refused. */
export const keysFreshMs = 60_000;
/** The longest time for which keys are valid while the TPP's server does not give them again. */
export const keysLastMs = 5 * 60_000;
/** The shortest time before the gateway asks a server again that failed. */
export const restAfterFailureMs = 5_000;

const mostSets = 10_000;
const mostBytesOfAll = 64 * 1024 * 1024;

interface CachedKeySet {
  readonly jwks?: JSONWebKeySet;
  readonly bytes: number;
  readonly readAtMs: number;
  readonly failedAtMs: number;
}

const nothing: CachedKeySet = { bytes: 1, readAtMs: -Infinity, failedAtMs: -Infinity };

/**
 * The key sets that TPPs publish, by their URLs, for all that TPPs sign: client assertions, request objects and
 * registration requests. Their age alone causes a read, and no signature does: it can name any key.
 */
export class TppKeySets {
  private readonly cache = new LRUCache<string, CachedKeySet>({
    max: mostSets,
    maxSize: mostBytesOfAll,
    sizeCalculation: ({ bytes }) => bytes,
  });
  private readonly reading = new Map<string, Promise<void>>();

  constructor(
    /** The document at a URL; `undefined` when the server has no document there. Rejects with {@link DocumentUnavailable}. */
    private readonly fetch: (url: string) => Promise<Buffer | undefined>,
    private readonly clock: Clock,
  ) {}

  /** The keys. They are fetched once for all callers at the same time. @throws DocumentUnavailable */
  async keys(url: string): Promise<JSONWebKeySet> {
    const { readAtMs, failedAtMs } = this.cache.get(url) ?? nothing;
    if (!this.isYoungerThan(keysFreshMs, readAtMs) && !this.isYoungerThan(restAfterFailureMs, failedAtMs))
      await this.read(url);
    const cached = this.cache.get(url);
    if (cached?.jwks !== undefined && this.isYoungerThan(keysLastMs, cached.readAtMs)) return cached.jwks;
    throw new DocumentUnavailable('its server did not answer with a key set');
  }

  private read(url: string): Promise<void> {
    const underWay = this.reading.get(url) ?? this.readNow(url).finally(() => this.reading.delete(url));
    this.reading.set(url, underWay);
    return underWay;
  }

  private async readNow(url: string): Promise<void> {
    // The age counts from before the fetch: a key may be removed while the answer is on its way.
    const nowMs = this.clock.nowMs();
    try {
      const document = await this.fetch(url);
      const jwks = publicKeys(document);
      this.cache.set(url, { jwks, bytes: document?.length ?? 1, readAtMs: nowMs, failedAtMs: -Infinity });
    } catch (error) {
      if (!(error instanceof DocumentUnavailable)) throw error;
      this.cache.set(url, { ...(this.cache.get(url) ?? nothing), failedAtMs: nowMs });
    }
  }

  /** A time in the future, after the clock was put back, counts as long ago. */
  private isYoungerThan(spanMs: number, sinceMs: number): boolean {
    const ageMs = this.clock.nowMs() - sinceMs;
    return ageMs >= 0 && ageMs < spanMs;
  }
}

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/** The usable keys of a document. A set that publishes a private key is refused as a whole. */
function publicKeys(document: Buffer | undefined): JSONWebKeySet {
  const keys = keysIn(document);
  if (keys.some((key) => privateMembers.some((member) => Object.hasOwn(key, member))))
    throw new DocumentUnavailable('a key set with a private or symmetric key');
  return { keys: keys.filter(isUsable) };
}

function keysIn(document: Buffer | undefined): readonly object[] {
  try {
    const { keys } = JSON.parse(document?.toString('utf8') ?? '') as { keys?: unknown };
    if (Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null && !Array.isArray(key)))
      return keys as object[];
  } catch (error) {
    throw new DocumentUnavailable('not a key set', { cause: error });
  }
  throw new DocumentUnavailable('not a key set');
}

/** The key types of the accepted algorithms, in the form that the library demands: it refuses a client with any other key. */
function isUsable(key: object): key is JWK {
  const { kty, n, e, crv, x, y, kid, alg, use, x5c } = key as Readonly<Record<string, unknown>>;
  const needed = kty === 'RSA' ? [n, e] : kty === 'EC' ? [crv, x, y] : [undefined];
  return (
    needed.every(isText) &&
    [kid, alg, use].every((value) => value === undefined || isText(value)) &&
    (x5c === undefined || (Array.isArray(x5c) && x5c.every(isText)))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
