import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import type { CoreHttp, HttpCore } from '../../../../packages/core-adapter/http-core.client.js';
import type { FineractLogin, FineractSettings } from './fineract.settings.js';

/** Makes the `Authorization` header of the calls to Fineract. */
export interface Authorisation {
  header(signal: AbortSignal): Promise<string>;
  /** Forgets a header that was refused; false where asking again would only give the same one. */
  discard(header: string): boolean;
  close(): Promise<void>;
}

export function createAuthorisation(settings: FineractSettings, http: CoreHttp): Authorisation {
  const { login } = settings;
  if (login.kind === 'oauth') return new TokenAuthorisation(login, settings, http);
  const header = basic(login.username, login.password);
  return { header: () => Promise.resolve(header), discard: () => false, close: () => Promise.resolve() };
}

/** A token is replaced this long before it expires, so that no call arrives with an expired one. */
const leewayMs = 10_000;
const tokenDeadlineMs = 10_000;
const maxTokenBytes = 64 * 1024;

interface Token {
  readonly header: string;
  /** On the monotonic clock; infinite if the server does not say when the token expires. */
  readonly untilMs: number;
}

/** A client's own token (RFC 6749, section 4.4): fetched once for all calls that wait for it, and never logged. */
class TokenAuthorisation implements Authorisation {
  private readonly http: HttpCore;
  private readonly closing = new AbortController();
  private token?: Token;
  private fetching?: Promise<Token>;

  constructor(
    private readonly login: FineractLogin & { readonly kind: 'oauth' },
    settings: FineractSettings,
    http: CoreHttp,
  ) {
    this.http = http.connect({
      ...settings,
      name: 'the token endpoint of Fineract',
      url: new URL(login.tokenUrl).origin,
      urlSetting: 'CORE_TOKEN_URL',
      connections: 1,
      maxAnswerBytes: maxTokenBytes,
    });
  }

  async header(signal: AbortSignal): Promise<string> {
    if (this.token !== undefined && performance.now() < this.token.untilMs) return this.token.header;
    // A caller's deadline ends only that caller's wait, not the fetch for the others.
    this.fetching ??= this.fetch().finally(() => (this.fetching = undefined));
    return (await unlessAborted(this.fetching, signal)).header;
  }

  discard(header: string): boolean {
    if (this.token?.header === header) this.token = undefined;
    return true;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.http.close();
  }

  private async fetch(): Promise<Token> {
    const askedMs = performance.now();
    const answer = await this.http.ask(
      {
        path: new URL(this.login.tokenUrl).pathname,
        method: 'POST',
        headers: [
          'accept',
          'application/json',
          'content-type',
          'application/x-www-form-urlencoded',
          'authorization',
          basic(formEncoded(this.login.clientId), formEncoded(this.login.clientSecret)),
        ],
        body: 'grant_type=client_credentials',
      },
      AbortSignal.any([AbortSignal.timeout(tokenDeadlineMs), this.closing.signal]),
    );
    if (answer.status !== 200)
      throw new CoreError(
        answer.status >= 500 ? 'unavailable' : 'bad-record',
        `the token endpoint of Fineract answered ${answer.status}: check CORE_CLIENT_ID and CORE_CLIENT_SECRET`,
      );
    this.token = readToken(answer.text, askedMs);
    return this.token;
  }
}

function readToken(text: string, askedMs: number): Token {
  let answer: { access_token?: unknown; token_type?: unknown; expires_in?: unknown } | null;
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    answer = null;
  }
  const { access_token: token, token_type: type, expires_in: seconds } = answer ?? {};
  // Only the characters of a bearer token (RFC 6750, section 2.1): others would break the call or reach the log.
  if (typeof token !== 'string' || !/^[\w.~+/-]+=*$/.test(token) || String(type).toLowerCase() !== 'bearer')
    throw new CoreError('bad-record', 'the token endpoint of Fineract sent no bearer token');
  const lifeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : Infinity;
  return { header: `Bearer ${token}`, untilMs: askedMs + lifeMs - Math.min(leewayMs, lifeMs / 2) };
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = (): CoreError => new CoreError('timeout', 'no token for Fineract before the deadline');
  if (signal.aborted) {
    work.catch(() => undefined);
    throw late();
  }
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(late());
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function basic(name: string, secret: string): string {
  return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
}

/** RFC 6749, section 2.3.1: a client's name and secret are form-encoded before they are joined. */
function formEncoded(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}
