import type { CoreContext } from '../../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import type { CoreSettings } from '../../../../packages/core-adapter/core-settings.js';
import {
  isJson,
  type CoreHttp,
  type HttpAnswer,
  type HttpCore,
} from '../../../../packages/core-adapter/http-core.client.js';

/** Far above the largest page of 1000 entries; a larger answer is a fault. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** The transport to the ledger core: GET, JSON in, and every fault as a {@link CoreError}. */
export class LedgerClient {
  private readonly http: HttpCore;

  constructor({ url, connections }: CoreSettings, http: CoreHttp) {
    this.http = http.connect({ name: 'ledger', url, urlSetting: 'CORE_URL', connections, maxAnswerBytes });
  }

  /** The parsed answer to a GET of `path`, which begins with a slash and follows the configured URL. */
  async read(path: string, context: Pick<CoreContext, 'signal'> & { interactionId?: string }): Promise<unknown> {
    const headers = ['accept', 'application/json'];
    if (context.interactionId !== undefined) headers.push('x-request-ref', context.interactionId);
    const answer = await this.http.ask({ path, headers }, context.signal);
    if (answer.status === 200) return this.http.json(answer);
    // Any other 404 is a wrong address, not an unknown account.
    if (answer.status === 404 && failCode(answer) === 'NO_ACCT')
      throw new CoreError('account-not-found', 'ledger lists no such account');
    throw this.http.refusal(answer);
  }

  close(): Promise<void> {
    return this.http.close();
  }
}

function failCode({ headers, text }: HttpAnswer): unknown {
  if (!isJson(headers)) return undefined;
  try {
    return (JSON.parse(text) as { fail?: unknown } | null)?.fail;
  } catch {
    return undefined;
  }
}
