import { Socket } from 'node:net';
import pg from 'pg';
import type { Session } from '../connections.js';
import type { SqlSettings } from '../sql.settings.js';
import { cellOf } from './postgresql.cells.js';

/** How soon the server notices that the adapter has given a statement up. */
const watchMs = 250;

/**
 * A statement that is given up ends with its connection: the server watches the connection while the statement runs, so that
 * no second connection has to cancel it.
 */
export class PostgresqlSession implements Session<pg.Client> {
  readonly client: pg.Client;
  readonly opened: Promise<unknown>;
  private readonly socket = new Socket();

  constructor({ host, port = 5432, database, user, password, tls, statementTimeoutMs }: SqlSettings) {
    const session = {
      default_transaction_read_only: 'on',
      statement_timeout: statementTimeoutMs,
      client_connection_check_interval: watchMs,
      timezone: 'UTC',
      datestyle: 'ISO,YMD',
    };
    this.client = new pg.Client({
      host,
      port,
      database,
      user,
      ...(password !== undefined && { password }),
      ...(tls !== undefined && { ssl: tls }),
      application_name: 'account-information-gateway',
      options: Object.entries(session)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      types: { getTypeParser: cellOf },
      stream: () => this.socket,
    });
    // An error without a listener would end the process. The waiting statement fails with it as well.
    this.client.on('error', () => undefined);
    this.opened = this.client.connect();
  }

  get isUsable(): boolean {
    return !this.socket.destroyed;
  }

  abandon(): void {
    this.socket.destroy();
  }

  end(): Promise<void> {
    return this.client.end();
  }
}
