import type { BankAddress } from '../config/bank-address.js';
import { CommandFailed } from './command.js';

/** The bank-facing API of a gateway that runs. */
export class BankClient {
  constructor(private readonly address: BankAddress) {}

  /** The answer's body. @throws CommandFailed with what the gateway said, or why it said nothing */
  async call(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<unknown> {
    const answer = await this.fetch(`${this.address.origin}/bank/v1${path}`, method, body);
    if (answer.ok) return await answer.json();
    if (answer.status === 401) throw new CommandFailed('BANK_CREDENTIAL is not the one of the gateway');
    throw new CommandFailed(await reason(answer));
  }

  private async fetch(url: string, method: string, body: unknown): Promise<Response> {
    const authorization = `Bearer ${this.address.credential}`;
    try {
      return await fetch(url, {
        method,
        headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      });
    } catch {
      throw new CommandFailed(`no gateway answers at ${this.address.origin}: start it, or set BANK_HOST and BANK_PORT`);
    }
  }
}

async function reason(answer: Response): Promise<string> {
  const told = (await answer.json().catch(() => undefined)) as { Message?: unknown } | undefined;
  return typeof told?.Message === 'string' ? told.Message : `the gateway answered ${answer.status}`;
}
