import { CoreError } from './core-error.js';
import type { CoreHttp, HttpAnswer, HttpCore, HttpCoreSettings, HttpQuestion } from './http-core.client.js';
import { unlessAborted } from './unless-aborted.js';

export interface ClientCredentialsSettings extends Omit<HttpCoreSettings, 'connections' | 'maxAnswerBytes'> {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
  /** The settings of the id and the secret, named in the message when they are refused. */
  readonly credentialSettings: string;
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

/**
 * Asks a core with a token of the adapter's client (OAuth 2.0, RFC 6749, section 4.4). One token serves all calls. It
 * is fetched once for all calls that wait for it, and again shortly before it expires, or when the core refuses it. No
 * fault and no log has the secret or a token.
 */
export class OAuthClientCredentials {
  private readonly http: HttpCore;
  private readonly path: string;
  private readonly closing = new AbortController();
  private token?: Token;
  private fetching?: Promise<Token>;

  /** @param settings `url` is that of the token endpoint. @throws CoreSettingFault as {@link CoreHttp.connect} */
  constructor(
    private readonly settings: ClientCredentialsSettings,
    http: CoreHttp,
  ) {
    const { origin, pathname, search } = new URL(settings.url);
    this.path = pathname + search;
    this.http = http.connect({ ...settings, url: origin, connections: 1, maxAnswerBytes: maxTokenBytes });
  }

  /** Asks with the token, and once more with a new one if the core answers 401: the token may have been revoked. */
  async ask(core: HttpCore, question: HttpQuestion, signal: AbortSignal): Promise<HttpAnswer> {
    const { header } = await this.current(signal);
    const answer = await core.ask(withToken(question, header), signal);
    if (answer.status !== 401) return answer;
    if (this.token?.header === header) delete this.token;
    return core.ask(withToken(question, (await this.current(signal)).header), signal);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.http.close();
  }

  private current(signal: AbortSignal): Promise<Token> {
    if (this.token !== undefined && performance.now() < this.token.untilMs) return Promise.resolve(this.token);
    this.fetching ??= this.fetch().finally(() => delete this.fetching);
    // A caller's deadline ends only that caller's wait, not the fetch for the others.
    const late = (): CoreError => new CoreError('timeout', `no token of ${this.settings.name} before the deadline`);
    return unlessAborted(signal, this.fetching, late);
  }

  private async fetch(): Promise<Token> {
    const { name, clientId, clientSecret, scope, credentialSettings } = this.settings;
    const askedMs = performance.now();
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
    const authorization = basicAuthorization(formEncoded(clientId), formEncoded(clientSecret));
    const answer = await this.http.ask(
      {
        path: this.path,
        method: 'POST',
        headers: Object.entries({ ...headers, authorization }).flat(),
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          ...(scope !== undefined && { scope }),
        }).toString(),
      },
      AbortSignal.any([AbortSignal.timeout(tokenDeadlineMs), this.closing.signal]),
    );
    const { status } = answer;
    if (status === 429) throw this.http.refusal(answer);
    if (status !== 200)
      throw new CoreError(
        status >= 500 ? 'unavailable' : 'bad-record',
        `${name} answered ${status}: check ${credentialSettings}`,
      );
    this.token = readToken(answer.text, askedMs, name);
    return this.token;
  }
}

/** The value of an `Authorization` header (RFC 7617). */
export function basicAuthorization(name: string, secret: string): string {
  return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
}

function withToken(question: HttpQuestion, header: string): HttpQuestion {
  return { ...question, headers: [...question.headers, 'authorization', header] };
}

function readToken(text: string, askedMs: number, name: string): Token {
  let answer: { access_token?: unknown; token_type?: unknown; expires_in?: unknown } | null;
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    answer = null;
  }
  const { access_token: token, token_type: type, expires_in: seconds } = answer ?? {};
  // Only the characters of a bearer token (RFC 6750, section 2.1): others would break the call or reach the log.
  if (typeof token !== 'string' || !/^[\w.~+/-]+=*$/.test(token) || String(type).toLowerCase() !== 'bearer')
    throw new CoreError('bad-record', `${name} sent no bearer token`);
  const lifeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : Infinity;
  return { header: `Bearer ${token}`, untilMs: askedMs + lifeMs - Math.min(leewayMs, lifeMs / 2) };
}

/** RFC 6749, section 2.3.1: a client's name and secret are form-encoded before they are joined. */
function formEncoded(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}
