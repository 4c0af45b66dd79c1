import { errors, Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { IncomingHttpHeaders } from 'node:http';
import { connectFaultOf } from './connect-fault.js';
import { CoreError } from './core-error.js';
import { CoreSettingFault } from './core-settings.js';
import { readTlsFiles, type TlsFiles, type TlsTerms } from './tls-files.js';

/** The files of {@link TlsFiles} are read again when the gateway renews its certificates. */
export interface HttpCoreSettings extends TlsFiles {
  /** The name of the core in messages about faults. */
  readonly name: string;
  /** Where the core's paths begin, e.g. `http://core.internal:8080/ledger`. */
  readonly url: string;
  /** The environment variable that holds `url`, named in the message when the core cannot be reached. */
  readonly urlSetting: string;
  /** The greatest number of connections to the core at a time. */
  readonly connections: number;
  /** A larger answer is refused as a bad record. */
  readonly maxAnswerBytes: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface HttpQuestion {
  readonly method?: 'GET' | 'POST';
  /** Begins with a slash and follows the configured URL. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body?: string;
}

const noHeaders: readonly string[] = [];

/** The caller's signal ends a call much earlier; this only bounds one whose caller forgot. */
const transportTimeoutMs = 60_000;

/**
 * The transport to a core that speaks HTTP and JSON: kept-alive connections, and every fault of the transport as a
 * {@link CoreError} that repeats nothing from the core's answer. It uses undici's pool: through axios, even on top of
 * undici, balances lost 31 % of their throughput (3,090 against 4,489 requests a second, alternating rounds of one
 * run).
 */
export class HttpCore {
  private pool: Pool;
  /** Pools whose certificates were replaced, while their last calls are under way. */
  private readonly retired = new Set<Pool>();
  private readonly origin: string;
  private readonly pathPrefix: string;
  /** For the log: the address that was called. */
  private readonly host: string;

  /** @param headersOfCall names and values in turn that each call has in addition to its own headers */
  constructor(
    private readonly settings: HttpCoreSettings,
    private readonly headersOfCall: () => readonly string[] = () => noHeaders,
  ) {
    const { protocol, origin, host, pathname } = new URL(settings.url);
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new CoreSettingFault(settings.urlSetting, `must be an http or https URL, for ${settings.name} speaks HTTP`);
    this.host = host;
    this.pathPrefix = pathname.replace(/\/+$/, '');
    this.origin = origin;
    this.pool = this.createPool(readTlsFiles(settings));
  }

  /** The whole answer, whatever its status. Ends at once when the signal fires. */
  ask({ method = 'GET', path, headers, body }: HttpQuestion, signal: AbortSignal): Promise<HttpAnswer> {
    const receiver = new AnswerReceiver(signal, (error) => this.transportFault(error, signal));
    const further = this.headersOfCall();
    const all = further.length === 0 ? headers : [...headers, ...further];
    const options = { path: this.pathPrefix + path, method, headers: all, ...(body !== undefined && { body }) };
    if (receiver.listen()) this.pool.dispatch(options, receiver);
    return receiver.answer;
  }

  /** The content of a 200. @param parse throws when the text is not JSON */
  json({ headers, text }: HttpAnswer, parse: (text: string) => unknown = JSON.parse): unknown {
    const { name } = this.settings;
    if (!isJson(headers)) throw new CoreError('bad-record', `${name} answered 200 with something other than JSON`);
    try {
      return parse(text);
    } catch {
      // The parser's message quotes the text, which may hold customer data.
      throw new CoreError('bad-record', `${name} answered 200 with JSON that does not parse`);
    }
  }

  /** Every status but 200, as the one fault that it means; which 404 is an unknown account, only the adapter knows. */
  refusal({ status, headers }: HttpAnswer): CoreError {
    const { name } = this.settings;
    const said = `${name} answered ${status}`;
    if (status === 404) return new CoreError('bad-record', `${said}: check the path in ${this.settings.urlSetting}`);
    if (status === 429) return new CoreError('rate-limited', said, retryAfterSeconds(headers));
    if ([502, 503, 504].includes(status)) return new CoreError('unavailable', said, retryAfterSeconds(headers));
    return new CoreError('bad-record', said);
  }

  /**
   * Reads the files of certificates and keys again.
   *
   * @returns a function that puts them to use: calls under way end on their connections, and the next ones open new ones
   * @throws CoreSettingFault for a file with a fault; then nothing has changed
   */
  renewCertificates(): () => void {
    const terms = readTlsFiles(this.settings);
    return () => {
      const old = this.pool;
      this.pool = this.createPool(terms);
      this.retired.add(old);
      const ended = (): unknown => this.retired.delete(old);
      old.close().then(ended, ended);
    };
  }

  /** Ends every connection at once, those in use too. */
  async close(): Promise<void> {
    await Promise.all([this.pool, ...this.retired].map((pool) => pool.destroy()));
  }

  private createPool(terms: TlsTerms): Pool {
    return new Pool(this.origin, {
      connections: this.settings.connections,
      maxResponseSize: this.settings.maxAnswerBytes,
      headersTimeout: transportTimeoutMs,
      bodyTimeout: transportTimeoutMs,
      connect: { ...terms },
    });
  }

  private transportFault(error: unknown, signal: AbortSignal): CoreError {
    const { name, urlSetting, maxAnswerBytes } = this.settings;
    if (signal.aborted) return new CoreError('timeout', `${name} did not answer before the deadline`);
    if (error instanceof errors.HTTPParserError) return new CoreError('bad-record', `${name} does not speak HTTP`);
    const code = (error as { readonly code?: string } | undefined)?.code ?? 'no code';
    switch (code) {
      case 'UND_ERR_HEADERS_TIMEOUT':
      case 'UND_ERR_BODY_TIMEOUT':
      case 'UND_ERR_CONNECT_TIMEOUT':
        return new CoreError('timeout', `${name} did not answer in time (${code})`);
      case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
        return new CoreError('bad-record', `${name} sent more than ${maxAnswerBytes} bytes`);
      default:
        return new CoreError(
          'unavailable',
          `${name} is unreachable at ${this.host} (${code}): check that it runs, and that ${urlSetting} is right`,
          undefined,
          connectFaultOf(code),
        );
    }
  }
}

/** The HTTP clients that the gateway and the kit lend to adapters. */
export interface CoreHttp {
  /**
   * A client of one server. It connects when it is first asked, and the adapter closes it.
   *
   * @throws CoreSettingFault if the URL is not an http or https URL, or a file of certificates or a key has a fault
   */
  connect(settings: HttpCoreSettings): HttpCore;
}

export const coreHttp: CoreHttp = { connect: (settings) => new HttpCore(settings) };

export function isJson(headers: IncomingHttpHeaders): boolean {
  const type = headers['content-type'];
  return typeof type === 'string' && type.startsWith('application/json');
}

/** Whole seconds, if the core sends them; the date form of the header is ignored. */
function retryAfterSeconds(headers: IncomingHttpHeaders): number | undefined {
  const value = headers['retry-after'];
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
}

/** Collects one answer, and ends the exchange when the signal fires, even while it still waits for a connection. */
class AnswerReceiver implements Dispatcher.DispatchHandler {
  private controller?: Dispatcher.DispatchController;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private readonly chunks: Buffer[] = [];
  readonly answer: Promise<HttpAnswer>;
  private resolve!: (answer: HttpAnswer) => void;
  private reject!: (fault: CoreError) => void;

  constructor(
    private readonly signal: AbortSignal,
    private readonly faultOf: (error: unknown) => CoreError,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** False when the signal has already fired: there is nothing to send. */
  listen(): boolean {
    if (this.signal.aborted) {
      this.reject(this.faultOf(this.signal.reason));
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
    this.reject(this.faultOf(error));
  }

  private readonly onAbort = (): void => {
    this.controller?.abort(abortError);
    this.reject(this.faultOf(abortError));
  };
}

const abortError = new Error('the caller cancelled the call');
