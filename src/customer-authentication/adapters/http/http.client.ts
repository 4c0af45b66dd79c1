import { Pool, errors } from 'undici';
import type { Dispatcher } from 'undici';
import { CustomerAuthenticationUnavailable } from '../../customer-authentication.js';

export interface HttpAuthenticationSettings {
  /** Where the paths begin, e.g. `https://sign-on.bank.internal/v1`. */
  readonly url: string;
  /** Presented as a bearer credential with every call. */
  readonly credential: string;
  /** Milliseconds after which a call is given up even if the caller would wait longer. */
  readonly deadlineMs?: number;
}

const defaultDeadlineMs = 5_000;
const connections = 16;
/** Far above what the accounts of one customer need. */
const maxAnswerBytes = 256 * 1024;

export interface HttpAnswer {
  readonly status: number;
  /** The parsed body; `undefined` where it is not JSON. */
  readonly body: unknown;
}

/**
 * The transport to the customer authentication. Every fault is a {@link CustomerAuthenticationUnavailable} that carries
 * nothing of what was sent or answered: passwords and codes go through here.
 */
export class HttpAuthenticationClient {
  private readonly pool: Pool;
  private readonly pathPrefix: string;
  private readonly host: string;
  private readonly deadlineMs: number;
  private readonly authorization: string;

  constructor({ url, credential, deadlineMs = defaultDeadlineMs }: HttpAuthenticationSettings) {
    const { origin, host, pathname } = new URL(url);
    this.host = host;
    this.pool = new Pool(origin, { connections, maxResponseSize: maxAnswerBytes });
    this.pathPrefix = pathname.replace(/\/+$/, '');
    this.deadlineMs = deadlineMs;
    this.authorization = `Bearer ${credential}`;
  }

  get(path: string, signal: AbortSignal): Promise<HttpAnswer> {
    return this.call({ path, method: 'GET' }, signal);
  }

  post(path: string, body: Readonly<Record<string, string>>, signal: AbortSignal): Promise<HttpAnswer> {
    return this.call({ path, method: 'POST', body: JSON.stringify(body) }, signal);
  }

  /** Ends every connection at once, those in use too. */
  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async call(
    { path, method, body }: { path: string; method: Dispatcher.HttpMethod; body?: string },
    caller: AbortSignal,
  ): Promise<HttpAnswer> {
    const deadline = AbortSignal.timeout(this.deadlineMs);
    try {
      const answer = await this.pool.request({
        path: this.pathPrefix + path,
        method,
        body,
        headers: {
          accept: 'application/json',
          authorization: this.authorization,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.any([caller, deadline]),
      });
      return { status: answer.statusCode, body: parsed(await answer.body.text()) };
    } catch (error) {
      // Its code and not the error as a cause: what undici says may quote the answer.
      const { code } = error as { readonly code?: string };
      const tooLate = caller.aborted || deadline.aborted;
      throw new CustomerAuthenticationUnavailable(reason(error, this.host, code, tooLate), code);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's message quotes the text. What is missing is judged by whoever asked.
    return undefined;
  }
}

function reason(error: unknown, host: string, code: string | undefined, tooLate: boolean): string {
  if (tooLate) return 'the customer authentication did not answer before the deadline';
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return `the customer authentication sent more than ${maxAnswerBytes} bytes`;
  return `the customer authentication cannot be reached at ${host} (${code ?? 'no code'}): is it running, and is CUSTOMER_AUTHENTICATION_URL right?`;
}
