import type { VersionName } from '../../src/versions/versions.js';
import type { BankClient } from '../clients/bank.client.js';
import { oauthErrorOf } from '../clients/bank-fault.js';
import type { Exchange } from '../clients/exchange.js';
import type { ConnectionName, Notice, Session } from './sessions.js';

const accessEnded: Notice = {
  words: 'The access has ended: it was withdrawn at the bank, it ran out, or it was never given.',
};

/** The bank's client, and the tokens of each browser's connection. */
export class BankAccess {
  private opened?: Promise<BankClient>;

  /**
   * @param open called at the first use, and again after a failure: the bank may start later than the TPP
   * @param versions of the API, which the bank serves
   */
  constructor(
    private readonly open: () => Promise<BankClient>,
    private readonly versions: readonly VersionName[],
  ) {}

  async client(api?: VersionName): Promise<BankClient> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return (await this.opened).in(api);
  }

  async close(): Promise<void> {
    const client = await this.opened?.catch(() => undefined);
    await client?.close();
  }

  /** The connection with a token that is valid for a while, or none. */
  async renewed<Name extends ConnectionName>(session: Session, name: Name): Promise<Session[Name]> {
    const connection = session[name];
    if (connection === undefined) return undefined;
    if (!this.versions.includes(connection.api)) return end(session, name);
    try {
      connection.access = await (await this.client()).renewed(connection.access);
    } catch (error) {
      if (oauthErrorOf(error) !== 'invalid_grant') throw error;
      return end(session, name);
    }
    return connection;
  }
}

/** Ends a connection whose access has ended at the bank. */
export function end(session: Session, name: ConnectionName): undefined {
  disconnect(session, name);
  session.notice = accessEnded;
}

/** Whether the bank no longer accepts the token. */
export function isRefusedToken({ response }: Exchange): boolean {
  return response.status === 401;
}

export function disconnect(session: Session, name: ConnectionName): void {
  delete session[name];
  if (name === 'funds') delete session.fundsCheck;
  else session.accountNames.clear();
}
