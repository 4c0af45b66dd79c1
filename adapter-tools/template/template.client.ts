import type { CoreContext, CoreHttp, CoreSettings, HttpCore } from '../../packages/core-adapter/published-port.js';

/** Far above the size of the core's answer to one read. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** The interaction id is absent where the gateway asks for itself. */
type Asking = Pick<CoreContext, 'signal'> & Partial<Pick<CoreContext, 'interactionId'>>;

/** The transport: GET, JSON in, and every fault as a {@link CoreError} that repeats nothing from the core's answer. */
export class TemplateClient {
  private readonly http: HttpCore;

  constructor({ url, connections }: CoreSettings, http: CoreHttp) {
    this.http = http.connect({ name: 'template', url, urlSetting: 'CORE_URL', connections, maxAnswerBytes });
  }

  /** The parsed answer to a GET of `path`, which begins with a slash and follows the configured URL; `undefined` for a 404. */
  async read(path: string, { signal, interactionId }: Asking): Promise<unknown> {
    const headers = ['accept', 'application/json'];
    if (interactionId !== undefined) headers.push('x-interaction-id', interactionId);
    const answer = await this.http.ask({ path, headers }, signal);
    if (answer.status === 200) return this.http.json(answer);
    if (answer.status === 404) return undefined;
    throw this.http.refusal(answer);
  }

  close(): Promise<void> {
    return this.http.close();
  }
}
