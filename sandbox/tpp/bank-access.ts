import type { BankClient } from '../clients/bank.client.js';
import { oauthErrorOf } from '../clients/bank-fault.js';
import type { Exchange } from '../clients/exchange.js';
import type { Connection, Notice, Session } from './sessions.js';

export const accessEnded: Notice = {
  words: 'The access has ended: it was withdrawn at the bank, it ran out, or it was never given.',
};

/** The bank's client, and the tokens of each browser's connection. */
export class BankAccess {
  private opened?: Promise<BankClient>;

  /** @param open called at the first use, and again after a failure: the bank may start later than the TPP */
  constructor(private readonly open: () => Promise<BankClient>) {}

  client(): Promise<BankClient> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  async close(): Promise<void> {
    const client = await this.opened?.catch(() => undefined);
    await client?.close();
  }

  /** The connection with a token that is valid for a while, or none. */
  async connectionOf(session: Session): Promise<Connection | undefined> {
    const { connection } = session;
    if (connection === undefined) return undefined;
    try {
      session.connection = { ...connection, access: await (await this.client()).renewed(connection.access) };
    } catch (error) {
      if (oauthErrorOf(error) !== 'invalid_grant') throw error;
      disconnect(session);
      session.notice = accessEnded;
    }
    return session.connection;
  }
}

/** Whether the bank no longer accepts the token. */
export function isRefusedToken({ response }: Exchange): boolean {
  return response.status === 401;
}

export function disconnect(session: Session): void {
  delete session.connection;
  session.accountNames.clear();
}
