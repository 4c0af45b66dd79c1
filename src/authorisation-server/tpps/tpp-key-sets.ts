import type { JSONWebKeySet, JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock/clock.js';
import { DocumentUnavailable } from '../../security/tpp-document.client.js';

/** The longest time for which a key is good after the TPP removed it, whatever the caching headers of its server say. */
export const keysLastMs = 5 * 60_000;
/** The shortest time between two reads of a set. A signature can name any key, so it must not cause more. */
export const askAgainAfterMs = 30_000;
/** The shortest time before the gateway asks a server again that failed. */
export const restAfterFailureMs = 5_000;

const mostSets = 10_000;
const mostBytesOfAll = 64 * 1024 * 1024;

interface CachedKeySet {
  readonly jwks?: JSONWebKeySet;
  readonly bytes: number;
  readonly readAtMs: number;
  /** When the set was last read because the known keys did not verify a signature. */
  readonly askedAgainAtMs: number;
  readonly failedAtMs: number;
}

const nothing: CachedKeySet = { bytes: 1, readAtMs: -Infinity, askedAgainAtMs: -Infinity, failedAtMs: -Infinity };

/**
 * The key sets that TPPs publish, by their URLs, for all that TPPs sign: client assertions, request objects and
 * registration requests.
 */
export class TppKeySets {
  private readonly kept = new LRUCache<string, CachedKeySet>({
    max: mostSets,
    maxSize: mostBytesOfAll,
    sizeCalculation: ({ bytes }) => bytes,
  });
  private readonly reading = new Map<string, Promise<JSONWebKeySet>>();

  constructor(
    /** The document at a URL; `undefined` when the server has no document there. Rejects with {@link DocumentUnavailable}. */
    private readonly fetch: (url: string) => Promise<Buffer | undefined>,
    private readonly clock: Clock,
  ) {}

  /** The keys, if they were read in the last five minutes. */
  cached(url: string): JSONWebKeySet | undefined {
    const { jwks, readAtMs } = this.kept.get(url) ?? nothing;
    return jwks !== undefined && this.isWithin(keysLastMs, readAtMs) ? jwks : undefined;
  }

  /** Whether {@link read} would fetch the keys now or wait for a fetch under way. Otherwise it gives the known keys. */
  mayFetchNow(url: string): boolean {
    if (this.reading.has(url)) return true;
    const { askedAgainAtMs, failedAtMs } = this.kept.get(url) ?? nothing;
    if (this.isWithin(restAfterFailureMs, failedAtMs)) return false;
    return this.cached(url) === undefined || !this.isWithin(askAgainAfterMs, askedAgainAtMs);
  }

  /** Fetches the keys, once for all callers at the same time; the known keys where {@link mayFetchNow} is false. @throws DocumentUnavailable */
  read(url: string): Promise<JSONWebKeySet> {
    const underWay = this.reading.get(url);
    if (underWay !== undefined) return underWay;
    const cached = this.cached(url);
    if (!this.mayFetchNow(url))
      return cached === undefined
        ? Promise.reject(new DocumentUnavailable('its server failed a moment ago'))
        : Promise.resolve(cached);
    const begun = this.readNow(url, cached !== undefined).finally(() => this.reading.delete(url));
    this.reading.set(url, begun);
    return begun;
  }

  private async readNow(url: string, again: boolean): Promise<JSONWebKeySet> {
    // The age counts from before the fetch: a key may be removed while the answer is on its way.
    const nowMs = this.clock.nowMs();
    const before = this.kept.get(url) ?? nothing;
    const askedAgainAtMs = again ? nowMs : before.askedAgainAtMs;
    try {
      const document = await this.fetch(url);
      const jwks = publicKeys(document);
      this.kept.set(url, {
        jwks,
        bytes: document?.length ?? 1,
        readAtMs: nowMs,
        askedAgainAtMs,
        failedAtMs: -Infinity,
      });
      return jwks;
    } catch (error) {
      this.kept.set(url, { ...before, askedAgainAtMs, failedAtMs: nowMs });
      throw error;
    }
  }

  /** A time in the future, after the clock was put back, counts as long ago. */
  private isWithin(spanMs: number, sinceMs: number): boolean {
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

/** The key types of the accepted algorithms. */
function isUsable(key: object): key is JWK {
  const { kty, n, e, crv, x, y, kid, alg, use, x5c } = key as Readonly<Record<string, unknown>>;
  const needed = kty === 'RSA' ? [n, e] : kty === 'EC' ? [crv, x, y] : [undefined];
  return (
    needed.every((value) => typeof value === 'string' && value !== '') &&
    [kid, alg, use].every((value) => value === undefined || typeof value === 'string') &&
    (x5c === undefined || (Array.isArray(x5c) && x5c.every((one) => typeof one === 'string')))
  );
}
