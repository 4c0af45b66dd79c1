import {
  CoreError,
  CoreSettingFault,
  type CoreContext,
  type CoreHttp,
  type CoreSettings,
  type HttpCore,
  isJson,
  isRow,
} from 'account-information-core-adapter';

/** Far above the size of the core's answer to one read. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** The interaction id is absent where the gateway asks for itself. */
type Asking = Pick<CoreContext, 'signal'> & Partial<Pick<CoreContext, 'interactionId'>>;

/** The transport: GET, JSON in, and every fault as a {@link CoreError} that repeats nothing from the core's answer. */
export class PolderClient {
  private readonly http: HttpCore;
  private readonly key: string;

  constructor({ url, connections, variables }: CoreSettings, http: CoreHttp) {
    const { CORE_KEY } = variables;
    if (CORE_KEY === undefined || !/^[\w-]+$/.test(CORE_KEY))
      throw new CoreSettingFault('CORE_KEY', 'must be the key of the gateway');
    this.key = CORE_KEY;
    this.http = http.connect({ name: 'polder', url, urlSetting: 'CORE_URL', connections, maxAnswerBytes });
  }

  /**
   * The parsed answer to a GET of `path`, which begins with a slash and follows the configured URL; `undefined` where the core
   * does not know the customer or the account. Any other 404 is a wrong address, or comes from a proxy.
   */
  async read(path: string, { signal, interactionId }: Asking): Promise<unknown> {
    const headers = ['accept', 'application/json', 'x-sleutel', this.key];
    if (interactionId !== undefined) headers.push('x-verzoek', interactionId);
    const answer = await this.http.ask({ path, headers }, signal);
    if (answer.status === 200) return this.http.json(answer);
    if (answer.status === 401) throw new CoreError('unavailable', 'polder refuses the key in CORE_KEY');
    if (answer.status === 404 && isJson(answer.headers) && isUnknown(this.http.json(answer))) return undefined;
    throw this.http.refusal(answer);
  }

  close(): Promise<void> {
    return this.http.close();
  }
}

function isUnknown(body: unknown): boolean {
  return isRow(body) && (body.fout === 'onbekende klant' || body.fout === 'onbekende rekening');
}
