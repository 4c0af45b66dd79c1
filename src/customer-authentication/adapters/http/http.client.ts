import type { HttpService } from '@nestjs/axios';
import {
  CustomerAuthenticationUnavailable,
  type CustomerAuthenticationSettings,
} from '../../customer-authentication.js';

export interface HttpAuthenticationSettings extends CustomerAuthenticationSettings {
  /** The client ends a call after this time, even if the caller would wait longer. */
  readonly deadlineMs?: number;
}

const defaultDeadlineMs = 5_000;
/** Far above the size of the account list of one customer. */
const maxAnswerBytes = 256 * 1024;

export interface HttpAnswer {
  readonly status: number;
  /** The parsed body. A body that is not JSON stays a text. */
  readonly body: unknown;
}

/** The members of an `HttpService` error that are used here. */
interface HttpServiceFault {
  readonly kind: 'late' | 'aborted' | 'too-large' | 'status' | 'unreachable';
  readonly code?: string;
}

/**
 * The transport to the customer authentication. Every fault is a {@link CustomerAuthenticationUnavailable} that carries
 * nothing of the call or the answer: passwords and codes go through here.
 */
export class HttpAuthenticationClient {
  private readonly closing = new AbortController();
  private readonly base: string;
  private readonly host: string;
  private readonly deadlineMs: number;
  private readonly authorization: string;

  constructor(
    private readonly http: HttpService,
    { url, credential, deadlineMs = defaultDeadlineMs }: HttpAuthenticationSettings,
  ) {
    const { origin, host, pathname } = new URL(url);
    this.host = host;
    this.base = origin + pathname.replace(/\/+$/, '');
    this.deadlineMs = deadlineMs;
    this.authorization = `Bearer ${credential}`;
  }

  async post(path: string, body: Readonly<Record<string, string>>, caller: AbortSignal): Promise<HttpAnswer> {
    try {
      const answer = await this.http.axiosRef.request<unknown>({
        method: 'POST',
        url: this.base + path,
        data: body,
        headers: { accept: 'application/json', authorization: this.authorization },
        signal: AbortSignal.any([caller, this.closing.signal]),
        timeout: this.deadlineMs,
        maxContentLength: maxAnswerBytes,
        validateStatus: null,
      });
      return { status: answer.status, body: answer.data };
    } catch (error) {
      const { kind, code } = error as HttpServiceFault;
      throw new CustomerAuthenticationUnavailable(reason(kind, this.host, code), code);
    }
  }

  /** Ends the calls that are under way. */
  close(): void {
    this.closing.abort();
  }
}

function reason(kind: HttpServiceFault['kind'], host: string, code = 'no code'): string {
  if (kind === 'late' || kind === 'aborted') return 'the customer authentication did not answer before the deadline';
  if (kind === 'too-large') return `the customer authentication sent more than ${maxAnswerBytes} bytes`;
  return `the customer authentication cannot be reached at ${host} (${code}): is it running, and is CUSTOMER_AUTHENTICATION_URL right?`;
}
