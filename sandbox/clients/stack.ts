import { readFile } from 'node:fs/promises';
import { type Clock, SystemClock } from '../../src/clock/clock.js';
import { FaultyStart } from '../faulty-start.js';
import type { SandboxConfig } from '../sandbox.config.js';
import { bankCredentialFile } from '../secrets.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * A running stack, through its ports and nothing else. Each call resolves to the JSON of the answer, or to `undefined`
 * for an answer without a body. Every fault is a {@link FaultyStart} of one line.
 */
export class Stack {
  private credential?: string;

  /**
   * @param bankClock the time of the bank
   * @param clientId of the TPP that asks for consents with tokens of the sandbox's issuer
   */
  constructor(
    readonly config: SandboxConfig,
    readonly bankClock: Clock = new SystemClock(),
    readonly clientId = 'sandbox-tpp',
  ) {
    this.credential = config.bankCredential;
  }

  /** The page with the one-time codes. */
  get inboxUrl(): string {
    return `http://localhost:${this.config.sandboxPort}/inbox`;
  }

  /** The gateway's port for the bank's staff. */
  async bank(method: Method, path: string, body?: unknown): Promise<unknown> {
    return call(method, `${origin(this.config.bankPort)}/bank/v1${path}`, await this.bankCredential(), body);
  }

  /** The sandbox bank, for its staff, with the directory of TPPs. */
  async sandbox(method: Method, path: string, body?: unknown): Promise<unknown> {
    return call(method, origin(this.config.sandboxPort) + path, await this.bankCredential(), body);
  }

  /** The gateway's port for TPPs. It is not called by BASE_URL, because this machine may not know that host. */
  gateway(method: Method, path: string, token?: string, body?: unknown): Promise<unknown> {
    return call(method, origin(this.config.port) + path, token, body);
  }

  /** The console, which takes changes as if from its own page. */
  console(method: Method, path: string, body: unknown): Promise<unknown> {
    const url = origin(this.config.consolePort);
    return call(method, url + path, undefined, body, { origin: url });
  }

  private async bankCredential(): Promise<string> {
    const file = bankCredentialFile(this.config.dataDir);
    this.credential ??= await readFile(file, 'utf8').catch(() => {
      throw new FaultyStart(
        `${file} cannot be read: start the stack with npm start (it then answers at ${origin(this.config.sandboxPort)}), or set DATA_DIR or BANK_CREDENTIAL`,
      );
    });
    return this.credential;
  }
}

function origin(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function call(
  method: Method,
  url: string,
  token: string | undefined,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: {
      ...headers,
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new FaultyStart(`nothing answers at ${new URL(url).origin}: start the stack with npm start`);
  });
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : JSON.parse(text);
  const request = `${method} ${url} answered ${response.status}`;
  const reason = reasonIn(text)?.replace(/\.$/, '');
  throw new FaultyStart(reason === undefined ? request : `${reason} (${request})`);
}

/** The reason in an error answer: in the gateway's standard body, or in the sandbox's. */
function reasonIn(text: string): string | undefined {
  try {
    const { Message, Errors, error } = JSON.parse(text) as {
      Message?: string;
      Errors?: readonly { Message?: string; Path?: string }[];
      error?: string;
    };
    // An error without anything to add repeats the message.
    const details = (Errors ?? [])
      .filter(({ Message: detail }) => detail !== Message)
      .map(({ Message: detail, Path }) => [Path, detail].filter(Boolean).join(': '));
    const parts = [Message ?? error, ...details].filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts.join(': ');
  } catch {
    return undefined;
  }
}
