import { AsyncLocalStorage } from 'node:async_hooks';
import { Agent, fetch, type RequestInit } from 'undici';
import { CustomerAuthenticationUnavailable, isCustomerAuthenticationUnavailable } from './customer-authentication.js';

/** The servers of the bank's sign-on, and how the gateway proves itself to them. */
export interface SignOnHttpTerms {
  /** PEM of the authority of the server's certificate, where it is not a public one. */
  readonly ca?: string;
  /** PEM of the gateway's certificate and its key, for mutual TLS. */
  readonly cert?: string;
  readonly key?: string;
  /** Ends a call whose caller would wait longer. Default 5,000. */
  readonly deadlineMs?: number;
}

/** The HTTP clients that the gateway and the kit lend to adapters. */
export interface SignOnHttp {
  connect(terms: SignOnHttpTerms): SignOnConnection;
}

export interface SignOnConnection {
  /**
   * The whole answer, whatever its status.
   * @throws CustomerAuthenticationUnavailable
   */
  fetch(url: string, call?: SignOnCall): Promise<Response>;
  /** Ends every call and every connection at once. */
  close(): Promise<void>;
}

/** The parts of a request that an adapter can set. */
export interface SignOnCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
  readonly signal?: AbortSignal | null | undefined;
}

/** Whether a request of the present step of an authentication may have reached the bank, over any lent connection. */
export const stepReach = new AsyncLocalStorage<{ reached: boolean }>();

/** Node's and undici's codes of a request that was not sent, because there was no connection. */
const notSent = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const mostAnswerBytes = 256 * 1024;
const defaultDeadlineMs = 5_000;
/** A server may close an idle connection after five seconds. A later call on it would fail. */
const idleMs = 4_000;
const connections = 32;

/**
 * The transport to the bank's sign-on: `fetch` of the web platform with a deadline for the whole answer, a limit of its
 * size, no redirects, no cookies and no proxy. Every fault is a {@link CustomerAuthenticationUnavailable} that carries
 * nothing of the call or the answer: passwords and codes go through here.
 */
export class HttpSignOnConnection implements SignOnConnection {
  private readonly agent: Agent;
  private readonly closing = new AbortController();

  constructor(private readonly terms: SignOnHttpTerms) {
    const { ca, cert, key } = terms;
    const connect = {
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    };
    this.agent = new Agent({ connections, connect, keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs });
  }

  async fetch(url: string, { signal, ...call }: SignOnCall = {}): Promise<Response> {
    const late = new AbortController();
    // Not AbortSignal.timeout, whose timer would go on after the answer.
    const deadline = setTimeout(() => late.abort(), this.terms.deadlineMs ?? defaultDeadlineMs);
    const ends = [late.signal, this.closing.signal, ...(signal ? [signal] : [])];
    const init = { ...call, redirect: 'manual', dispatcher: this.agent, signal: AbortSignal.any(ends) } as RequestInit;
    try {
      const answer = await fetch(url, init);
      noteReached();
      const { status, headers } = answer;
      const bytes = await readBody(answer);
      // A body is not allowed with these.
      return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(bytes), {
        status,
        headers: [...headers],
      });
    } catch (error) {
      throw transportFault(error, new URL(url).host);
    } finally {
      clearTimeout(deadline);
    }
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.agent.destroy();
  }
}

export const signOnHttp: SignOnHttp = { connect: (terms) => new HttpSignOnConnection(terms) };

async function readBody({ body }: { readonly body: AsyncIterable<Uint8Array> | null }): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    // To leave the loop cancels the answer.
    if (bytes > mostAnswerBytes)
      throw new CustomerAuthenticationUnavailable(`the bank’s sign-on sent more than ${mostAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function transportFault(error: unknown, host: string): CustomerAuthenticationUnavailable {
  if (isCustomerAuthenticationUnavailable(error)) return error;
  const { name } = error as Error;
  // The signal of the caller may be one of AbortSignal.timeout.
  if (name === 'TimeoutError' || name === 'AbortError') {
    noteReached();
    return new CustomerAuthenticationUnavailable('the bank’s sign-on did not answer before the deadline');
  }
  const code = codeOf(error);
  if (!notSent.has(code)) noteReached();
  return new CustomerAuthenticationUnavailable(
    `the bank’s sign-on is unreachable at ${host} (${code}): check that it runs, and that CUSTOMER_AUTHENTICATION_URL is right`,
    code,
    stepReach.getStore()?.reached ?? true,
  );
}

function noteReached(): void {
  const step = stepReach.getStore();
  if (step !== undefined) step.reached = true;
}

function codeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : 'no code';
}
