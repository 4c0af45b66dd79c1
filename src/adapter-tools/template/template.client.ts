import { Pool } from 'undici';
import { CoreError } from '../../core-banking/core-error.js';
import type { CoreSettings } from '../../core-banking/core-settings.js';

/** Far above what the core sends for one read. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** The transport: GET, JSON in, and every fault as a {@link CoreError} that carries nothing of what the core sent. */
export class TemplateClient {
  private readonly pool: Pool;
  private readonly pathPrefix: string;

  constructor({ url, connections }: CoreSettings) {
    const { origin, pathname } = new URL(url);
    this.pathPrefix = pathname.replace(/\/+$/, '');
    this.pool = new Pool(origin, { connections, maxResponseSize: maxAnswerBytes });
  }

  /** The parsed answer to a GET of `path`, which begins with a slash and follows the configured URL. */
  async read(path: string, signal: AbortSignal): Promise<unknown> {
    const { status, headers, text } = await this.get(path, signal);
    if (status !== 200) throw refusal(status, headers['retry-after']);
    if (!String(headers['content-type']).startsWith('application/json'))
      throw new CoreError('bad-record', 'template answered 200 with something other than JSON');
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // The parser's message quotes the text, which may hold customer data.
      throw new CoreError('bad-record', 'template answered 200 with JSON that does not parse');
    }
  }

  /** Ends every connection at once, those in use too. */
  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async get(path: string, signal: AbortSignal) {
    if (signal.aborted) throw new CoreError('timeout', 'template was not asked: it is too late');
    try {
      const headers = { accept: 'application/json' };
      const answer = await this.pool.request({ path: this.pathPrefix + path, method: 'GET', headers, signal });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    } catch {
      if (signal.aborted) throw new CoreError('timeout', 'template did not answer before the deadline');
      throw new CoreError('unavailable', 'template cannot be reached: is it running, and is CORE_URL right?');
    }
  }
}

/** Every status but 200, as the one fault that it means. */
function refusal(status: number, retryAfter: string | string[] | undefined): CoreError {
  const seconds = typeof retryAfter === 'string' && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
  switch (status) {
    case 404:
      return new CoreError('account-not-found', 'template lists no such account');
    case 429:
      return new CoreError('rate-limited', 'template answered 429', seconds);
    case 502:
    case 503:
    case 504:
      return new CoreError('unavailable', `template answered ${status}`, seconds);
    default:
      return new CoreError('bad-record', `template answered status ${status}`);
  }
}
