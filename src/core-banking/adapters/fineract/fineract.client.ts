import type { CoreContext } from '../../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import {
  isJson,
  type CoreHttp,
  type HttpAnswer,
  type HttpCore,
} from '../../../../packages/core-adapter/http-core.client.js';
import { parseExactly } from './exact-json.js';
import {
  basicAuthorization,
  OAuthClientCredentials,
} from '../../../../packages/core-adapter/oauth-client-credentials.js';
import type { FineractSettings } from './fineract.settings.js';

/** Far above a page of a thousand transactions with long notes; a larger answer is a fault. */
const maxAnswerBytes = 16 * 1024 * 1024;

export interface FineractAnswer {
  readonly body: unknown;
  /** When Fineract says that it answered (the `Date` of RFC 9110, section 6.6.1): the only clock of the core that it shows. */
  readonly at?: Date;
}

/** The caller. A call without an interaction belongs to the gateway itself, such as a health check. */
export type FineractCaller = Pick<CoreContext, 'signal'> & { readonly interactionId?: string };

/**
 * The transport to Fineract: GET, JSON in with its numbers kept exactly, and every fault as a {@link CoreError} that
 * repeats nothing from the core's answer.
 */
export class FineractClient {
  private readonly http: HttpCore;
  /** Absent where the gateway is a user of Fineract itself. */
  private readonly oauth?: OAuthClientCredentials;
  private readonly headers: readonly string[];

  constructor({ login, ...settings }: FineractSettings, http: CoreHttp) {
    this.http = http.connect({ ...settings, name: 'Fineract', urlSetting: 'CORE_URL', maxAnswerBytes });
    const headers = ['accept', 'application/json', 'fineract-platform-tenantid', settings.tenant];
    if (login.kind === 'basic')
      this.headers = [...headers, 'authorization', basicAuthorization(login.username, login.password)];
    else {
      this.headers = headers;
      const client = {
        ...login,
        name: 'the token endpoint of Fineract',
        url: login.tokenUrl,
        urlSetting: 'CORE_TOKEN_URL',
        credentialSettings: 'CORE_CLIENT_ID and CORE_CLIENT_SECRET',
      };
      this.oauth = new OAuthClientCredentials({ ...settings, ...client }, http);
    }
  }

  /** The parsed answer to a GET of `path`, which begins with a slash and follows the configured URL. */
  async read(path: string, caller: FineractCaller): Promise<FineractAnswer> {
    const headers = [...this.headers];
    if (caller.interactionId !== undefined) headers.push('x-correlation-id', caller.interactionId);
    const question = { path, headers };
    const answer = await (this.oauth?.ask(this.http, question, caller.signal) ??
      this.http.ask(question, caller.signal));
    if (answer.status !== 200) throw refusal(answer) ?? this.http.refusal(answer);
    const atMs = Date.parse(answer.headers.date ?? '');
    return { body: this.http.json(answer, parseExactly), ...(!Number.isNaN(atMs) && { at: new Date(atMs) }) };
  }

  /** Ends every connection at once, those in use too. */
  async close(): Promise<void> {
    await Promise.all([this.http.close(), this.oauth?.close()]);
  }
}

/** Fineract's codes for an account or a client that does not exist or is of another kind. */
const unknownCodes: ReadonlySet<string> = new Set([
  'error.msg.saving.account.id.invalid',
  'error.msg.client.id.invalid',
]);

/** The statuses for which Fineract's answer says more than the status. */
function refusal(answer: HttpAnswer): CoreError | undefined {
  switch (answer.status) {
    case 401:
      return new CoreError('bad-record', 'Fineract answered 401: check the credentials and the tenant');
    case 403:
      return new CoreError('bad-record', "Fineract answered 403: check the permissions of the gateway's user");
    case 404:
      if (errorCodes(answer).some((code) => unknownCodes.has(code)))
        return new CoreError('account-not-found', 'Fineract has no such account or client');
      // Any other 404 is a wrong address or a missing data table, not an unknown account.
      return new CoreError('bad-record', 'Fineract does not know the path: check CORE_URL and the data tables');
    default:
      return undefined;
  }
}

/** The codes of `errors[]`; the code above the list says only that something was not found. */
function errorCodes(answer: HttpAnswer): string[] {
  if (!isJson(answer.headers)) return [];
  try {
    const { errors: listed } = JSON.parse(answer.text) as { errors?: { userMessageGlobalisationCode?: unknown }[] };
    return (listed ?? []).flatMap(({ userMessageGlobalisationCode: code }) => (typeof code === 'string' ? [code] : []));
  } catch {
    return [];
  }
}
