import { errors } from 'undici';
import type { Dispatcher, Pool } from 'undici';
import type { IncomingHttpHeaders } from 'node:http';
import type { CoreContext } from '../../core.adapter.js';
import { CoreError } from '../../core-error.js';
import { parseExactly } from './exact-json.js';
import { type Authorisation, createAuthorisation } from './fineract.authorisation.js';
import type { FineractSettings } from './fineract.settings.js';
import { type RawAnswer, exchange, openPool } from './http-exchange.js';

/** Far above a page of a thousand transactions with long notes; a core that sends more is not answering what was asked. */
const maxAnswerBytes = 16 * 1024 * 1024;

export interface FineractAnswer {
  readonly body: unknown;
  /** When Fineract says that it answered (the `Date` of RFC 9110, section 6.6.1): the only clock of the core that it shows. */
  readonly at?: Date;
}

/** Whom a call is for. Without an interaction it is the gateway's own, such as a health check. */
export type FineractCaller = Pick<CoreContext, 'signal'> & { readonly interactionId?: string };

/**
 * The transport to Fineract: GET, JSON in with its numbers kept exactly, and every fault as a {@link CoreError} that
 * carries nothing of what the core sent.
 */
export class FineractClient {
  private readonly pool: Pool;
  private readonly pathPrefix: string;
  private readonly authorisation: Authorisation;
  private readonly tenant: string;

  constructor(settings: FineractSettings) {
    const { origin, pathname } = new URL(settings.url);
    this.pathPrefix = pathname.replace(/\/+$/, '');
    this.tenant = settings.tenant;
    this.pool = openPool(origin, settings, maxAnswerBytes);
    this.authorisation = createAuthorisation(settings);
  }

  /** The parsed answer to a GET of `path`, which begins with a slash and follows the configured URL. */
  async read(path: string, caller: FineractCaller): Promise<FineractAnswer> {
    const answer = await this.authorised(path, caller);
    return answer.status === 200 ? accept(answer) : refuse(answer);
  }

  /** Ends every connection at once, those in use too. */
  async close(): Promise<void> {
    await Promise.all([this.pool.destroy(), this.authorisation.close()]);
  }

  /** Asks once more with a new token when Fineract refuses the one that it was given: it may have been withdrawn. */
  private async authorised(path: string, caller: FineractCaller): Promise<RawAnswer> {
    const header = await this.authorisation.header(caller.signal);
    const answer = await this.get(path, header, caller);
    if (answer.status !== 401 || !this.authorisation.discard(header)) return answer;
    return this.get(path, await this.authorisation.header(caller.signal), caller);
  }

  private async get(path: string, authorization: string, caller: FineractCaller): Promise<RawAnswer> {
    const headers = [
      ...['accept', 'application/json', 'authorization', authorization],
      ...['fineract-platform-tenantid', this.tenant],
    ];
    if (caller.interactionId !== undefined) headers.push('x-correlation-id', caller.interactionId);
    const options: Dispatcher.DispatchOptions = { path: this.pathPrefix + path, method: 'GET', headers };
    return exchange(this.pool, options, caller.signal).catch((error: unknown) => {
      throw transportFault(error, caller.signal);
    });
  }
}

function accept(answer: RawAnswer): FineractAnswer {
  if (!isJson(answer)) throw new CoreError('bad-record', 'Fineract answered 200 with something other than JSON');
  const atMs = Date.parse(answer.headers.date ?? '');
  const at = Number.isNaN(atMs) ? {} : { at: new Date(atMs) };
  try {
    return { body: parseExactly(answer.text), ...at };
  } catch {
    // The parser's message quotes the text, which may hold customer data.
    throw new CoreError('bad-record', 'Fineract answered 200 with JSON that does not parse');
  }
}

/** What Fineract calls an account or a client that it does not have, or that is not of that kind. */
const unknownCodes: ReadonlySet<string> = new Set([
  'error.msg.saving.account.id.invalid',
  'error.msg.client.id.invalid',
]);

/** Every status but 200, as the one fault that it means. */
function refuse(answer: RawAnswer): never {
  const retryAfterSeconds = retryAfter(answer.headers['retry-after']);
  switch (answer.status) {
    case 401:
      throw new CoreError('bad-record', 'Fineract answered 401: check the credentials and the tenant');
    case 403:
      throw new CoreError('bad-record', "Fineract answered 403: check the permissions of the gateway's user");
    case 404:
      if (errorCodes(answer).some((code) => unknownCodes.has(code)))
        throw new CoreError('account-not-found', 'Fineract has no such account or client');
      // Any other 404 is a wrong address or a missing data table, not a word on an account.
      throw new CoreError('bad-record', 'Fineract does not know the path: check CORE_URL and the data tables');
    case 429:
      throw new CoreError('rate-limited', 'Fineract answered 429', retryAfterSeconds);
    case 502:
    case 503:
    case 504:
      throw new CoreError('unavailable', `Fineract answered ${answer.status}`, retryAfterSeconds);
    default:
      throw new CoreError('bad-record', `Fineract answered status ${answer.status}`);
  }
}

/** The codes of `errors[]`; the one above them says only that something was not found. */
function errorCodes(answer: RawAnswer): string[] {
  if (!isJson(answer)) return [];
  try {
    const { errors: listed } = JSON.parse(answer.text) as { errors?: { userMessageGlobalisationCode?: unknown }[] };
    return (listed ?? []).flatMap(({ userMessageGlobalisationCode: code }) => (typeof code === 'string' ? [code] : []));
  } catch {
    return [];
  }
}

function isJson(answer: { readonly headers: IncomingHttpHeaders }): boolean {
  const type = answer.headers['content-type'];
  return typeof type === 'string' && type.startsWith('application/json');
}

/** Whole seconds, where the core asks for them; of the date form nothing is made. */
function retryAfter(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
}

function transportFault(error: unknown, signal: AbortSignal): CoreError {
  if (signal.aborted) return new CoreError('timeout', 'Fineract did not answer before the deadline');
  if (error instanceof errors.HTTPParserError) return new CoreError('bad-record', 'Fineract does not speak HTTP');
  const code = (error as { readonly code?: string } | undefined)?.code ?? 'no code';
  switch (code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return new CoreError('timeout', `Fineract did not answer in time (${code})`);
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return new CoreError('bad-record', `Fineract sent more than ${maxAnswerBytes} bytes`);
    default:
      return new CoreError(
        'unavailable',
        `Fineract cannot be reached (${code}): is it running, and are CORE_URL and CORE_CA_FILE right?`,
      );
  }
}
