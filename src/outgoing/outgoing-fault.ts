import { isAxiosError, isCancel } from 'axios';
import { NotPublic } from './public-only.agent.js';
import { SystemUnreachable } from './system-unreachable.js';

export type OutgoingFaultKind = 'late' | 'aborted' | 'too-large' | 'status' | 'unreachable';

interface Details extends ErrorOptions {
  /** The code of Node or OpenSSL, such as `ECONNREFUSED`, and the address of the connection. */
  readonly code?: string | undefined;
  readonly address?: string | undefined;
  readonly port?: number | undefined;
  readonly status?: number;
}

/**
 * A call to another server failed. The fault contains nothing of axios's error, which holds the whole call with its
 * credentials, and nothing of the answer.
 */
export class OutgoingFault extends SystemUnreachable {
  override readonly name = 'OutgoingFault';
  readonly code: string | undefined;
  readonly address: string | undefined;
  readonly port: number | undefined;
  readonly status: number | undefined;

  constructor(
    readonly kind: OutgoingFaultKind,
    message: string,
    { code, address, port, status, ...options }: Details = {},
  ) {
    super(message, options);
    this.code = code;
    this.address = address;
    this.port = port;
    this.status = status;
  }
}

/** Only this function reads axios's errors. */
export function outgoingFault(error: unknown): OutgoingFault {
  if (error instanceof OutgoingFault) return error;
  if (isCancel(error)) return givenUp((error as { config?: { signal?: AbortSignal } }).config?.signal?.reason);
  if (!isAxiosError(error)) return unreachable(error);
  if (error.message.startsWith('maxContentLength ')) return new OutgoingFault('too-large', 'the answer is too large');
  const { response, cause } = error;
  // An answer whose body breaks off has a status, too. Only axios's own error about a status has no cause.
  if (response !== undefined && cause === undefined && error.message.startsWith('Request failed '))
    return new OutgoingFault('status', `answered ${response.status}`, { status: response.status });
  return unreachable(cause ?? error);
}

function givenUp(reason: unknown): OutgoingFault {
  return (reason as { readonly name?: unknown } | undefined)?.name === 'TimeoutError'
    ? new OutgoingFault('late', 'no complete answer before the deadline')
    : new OutgoingFault('aborted', 'the caller cancelled the call');
}

interface SystemError {
  readonly code?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

/** Only the codes of system errors: a parser's error holds the answer, and its message may quote it. */
function unreachable(error: unknown): OutgoingFault {
  if (error instanceof NotPublic)
    return new OutgoingFault('unreachable', 'an address outside the public internet', { cause: error });
  // Node tries every address of a name and reports each.
  const first = (error as { readonly errors?: readonly unknown[] }).errors?.[0] ?? error;
  const { code, hostname, address = hostname, port } = first as SystemError;
  return new OutgoingFault('unreachable', `the connection failed (${code ?? 'no code'})`, { code, address, port });
}
