import {
  CustomerAuthenticationUnavailable,
  SignOnSettingFault,
  type CustomerAuthenticationSettings,
  type SignOnConnection,
  type SignOnHttp,
} from '../../../../packages/customer-authentication/published-port.js';

export interface HttpAnswer {
  readonly status: number;
  /** The parsed body; `undefined` where it is not JSON. */
  readonly body: unknown;
}

/** The transport to a sign-on that has the sandbox bank's protocol. */
export class HttpAuthenticationClient {
  private readonly connection: SignOnConnection;
  private readonly base: string;
  private readonly authorization: string;

  /** @throws SignOnSettingFault */
  constructor({ url, variables }: CustomerAuthenticationSettings, http: SignOnHttp) {
    const credential = variables['CUSTOMER_AUTHENTICATION_CREDENTIAL'];
    if (credential === undefined)
      throw new SignOnSettingFault(
        'CUSTOMER_AUTHENTICATION_CREDENTIAL',
        'must be set: make one with `openssl rand -hex 32`',
      );
    this.base = url.replace(/\/+$/, '');
    this.authorization = `Bearer ${credential}`;
    this.connection = http.connect({});
  }

  async post(path: string, body: object, signal: AbortSignal): Promise<HttpAnswer> {
    const answer = await this.connection.fetch(this.base + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { accept: 'application/json', authorization: this.authorization, 'content-type': 'application/json' },
      signal,
    });
    return { status: answer.status, body: parsed(await answer.text()) };
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
    return undefined;
  }
}

export function member(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

/** A member that must be there; texts may end in blanks. */
export function text(body: unknown, name: string): string {
  const value = member(body, name);
  const trimmed = typeof value === 'string' ? value.trim() : '';
  if (trimmed !== '') return trimmed;
  throw new CustomerAuthenticationUnavailable(`the bank’s sign-on answered without a usable "${name}"`);
}
