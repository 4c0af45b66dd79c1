import { Pool, errors } from 'undici';
import type { Dispatcher } from 'undici';
import type { IncomingHttpHeaders } from 'node:http';
import type { CoreContext } from '../../core.adapter.js';
import { CoreError } from '../../core-error.js';

export interface LedgerSettings {
  /** Where the core's paths begin, e.g. `http://core.internal:8080/ledger`. */
  readonly url: string;
  /** At most so many connections to the core at a time. */
  readonly connections: number;
}

/** Far above the largest page of 1000 entries; a core that sends more is not answering what was asked. */
const maxAnswerBytes = 8 * 1024 * 1024;
/** The caller's signal ends a read much earlier; this only bounds a call whose caller forgot. */
const transportTimeoutMs = 60_000;

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * The transport to the ledger core: GET, JSON in, and every fault as a {@link CoreError} that carries nothing of what
 * the core sent. Straight on an undici pool: see docs/architecture.md, Choices.
 */
export class LedgerClient {
  private readonly pool: Pool;
  private readonly pathPrefix: string;

  constructor(settings: LedgerSettings) {
    const { origin, pathname } = new URL(settings.url);
    this.pathPrefix = pathname.replace(/\/+$/, '');
    this.pool = new Pool(origin, {
      connections: settings.connections,
      maxResponseSize: maxAnswerBytes,
      headersTimeout: transportTimeoutMs,
      bodyTimeout: transportTimeoutMs,
    });
  }

  /** The parsed answer to a GET of `path`, which begins with a slash and follows the configured URL. */
  async read(path: string, context: Pick<CoreContext, 'signal'> & { interactionId?: string }): Promise<unknown> {
    const headers = ['accept', 'application/json'];
    if (context.interactionId !== undefined) headers.push('x-request-ref', context.interactionId);
    const answer = await this.get(path, headers, context.signal).catch((error: unknown) => {
      throw transportFault(error, context.signal);
    });
    return answer.status === 200 ? parse(answer) : refuse(answer);
  }

  /** Ends every connection at once, those in use too. */
  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private get(path: string, headers: string[], signal: AbortSignal): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const receiver = new AnswerReceiver(signal, resolve, reject);
      if (receiver.listen()) this.pool.dispatch({ path: this.pathPrefix + path, method: 'GET', headers }, receiver);
    });
  }
}

/** Collects one answer, and ends the exchange when the signal fires, even while it still waits for a connection. */
class AnswerReceiver implements Dispatcher.DispatchHandler {
  private controller?: Dispatcher.DispatchController;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private readonly chunks: Buffer[] = [];

  constructor(
    private readonly signal: AbortSignal,
    private readonly resolve: (answer: RawAnswer) => void,
    private readonly reject: (reason: unknown) => void,
  ) {}

  /** False when the signal has already fired: there is nothing to send. */
  listen(): boolean {
    if (this.signal.aborted) {
      this.reject(this.signal.reason);
      return false;
    }
    this.signal.addEventListener('abort', this.onAbort, { once: true });
    return true;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.signal.aborted) controller.abort(abortError);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.signal.removeEventListener('abort', this.onAbort);
    const [first] = this.chunks;
    const body = this.chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.chunks);
    this.resolve({ status: this.status, headers: this.headers, text: body.toString('utf8') });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.signal.removeEventListener('abort', this.onAbort);
    this.reject(error);
  }

  private readonly onAbort = (): void => {
    this.controller?.abort(abortError);
    this.reject(abortError);
  };
}

const abortError = new Error('the caller gave the call up');

function parse(answer: RawAnswer): unknown {
  if (!isJson(answer)) throw new CoreError('bad-record', 'ledger answered 200 with something other than JSON');
  try {
    return JSON.parse(answer.text) as unknown;
  } catch {
    // The parser's message quotes the text, which may hold customer data.
    throw new CoreError('bad-record', 'ledger answered 200 with JSON that does not parse');
  }
}

/** Every status but 200, as the one fault that it means. */
function refuse(answer: RawAnswer): never {
  const retryAfterSeconds = retryAfter(answer.headers['retry-after']);
  switch (answer.status) {
    case 404:
      if (failCode(answer) === 'NO_ACCT') throw new CoreError('account-not-found', 'ledger lists no such account');
      // Any other 404 is a wrong address, not a word on an account.
      throw new CoreError('bad-record', 'ledger does not know the path: check the configured core URL');
    case 429:
      throw new CoreError('rate-limited', 'ledger answered 429', retryAfterSeconds);
    case 502:
    case 503:
    case 504:
      throw new CoreError('unavailable', `ledger answered ${answer.status}`, retryAfterSeconds);
    default:
      throw new CoreError('bad-record', `ledger answered status ${answer.status}`);
  }
}

function failCode(answer: RawAnswer): unknown {
  if (!isJson(answer)) return undefined;
  try {
    return (JSON.parse(answer.text) as { fail?: unknown } | null)?.fail;
  } catch {
    return undefined;
  }
}

function isJson(answer: RawAnswer): boolean {
  const type = answer.headers['content-type'];
  return typeof type === 'string' && type.startsWith('application/json');
}

/** Whole seconds, where the core asks for them; the date form of the header is not part of its dialect. */
function retryAfter(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
}

function transportFault(error: unknown, signal: AbortSignal): CoreError {
  if (signal.aborted) return new CoreError('timeout', 'ledger did not answer before the deadline');
  if (error instanceof errors.HTTPParserError) return new CoreError('bad-record', 'ledger does not speak HTTP');
  const code = (error as { readonly code?: string } | undefined)?.code ?? 'no code';
  switch (code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return new CoreError('timeout', `ledger did not answer in time (${code})`);
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return new CoreError('bad-record', `ledger sent more than ${maxAnswerBytes} bytes`);
    default:
      return new CoreError(
        'unavailable',
        `ledger cannot be reached (${code}): is it running, and is the core URL right?`,
      );
  }
}
