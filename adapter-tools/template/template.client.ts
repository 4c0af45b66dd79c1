import {
  CoreError,
  type CoreHttp,
  type CoreSettings,
  type HttpCore,
} from '../../packages/core-adapter/published-port.js';

/** Far above the size of the core's answer to one read. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** The transport: GET, JSON in, and every fault as a {@link CoreError} that repeats nothing from the core's answer. */
export class TemplateClient {
  private readonly http: HttpCore;

  constructor({ url, connections }: CoreSettings, http: CoreHttp) {
    this.http = http.connect({ name: 'template', url, urlSetting: 'CORE_URL', connections, maxAnswerBytes });
  }

  /** The parsed answer to a GET of `path`, which begins with a slash and follows the configured URL. */
  async read(path: string, signal: AbortSignal): Promise<unknown> {
    const answer = await this.http.ask({ path, headers: ['accept', 'application/json'] }, signal);
    if (answer.status === 200) return this.http.json(answer);
    if (answer.status === 404) throw new CoreError('account-not-found', 'template lists no such account');
    throw this.http.refusal(answer);
  }

  close(): Promise<void> {
    return this.http.close();
  }
}
