import { Socket } from 'node:net';
import pg from 'pg';
import { CoreError } from '../../../../../packages/core-adapter/core-error.js';
import type { TlsTerms } from '../../../../../packages/core-adapter/tls-files.js';
import { before } from '../deadline.js';
import type { SqlSettings } from '../sql.settings.js';
import { Turns } from '../turns.js';
import { cellOf } from './postgresql.cells.js';
import { endsConnection, faultOf, unreachable } from './postgresql.faults.js';

interface Connection {
  /** With which it was opened. */
  readonly options: pg.ClientConfig;
  readonly client: pg.Client;
  readonly socket: Socket;
  readonly open: Promise<unknown>;
}

/** How soon the server notices that the adapter has given a statement up. */
const watchMs = 250;

/**
 * A few connections to PostgreSQL, each for one statement at a time. A statement that is given up ends with its connection: the
 * server watches the connection while the statement runs, so that no second connection has to cancel it.
 * node-postgres's own pool can abandon neither a connection attempt nor a waiting statement.
 */
export class PostgresqlConnections {
  private options: pg.ClientConfig;
  private readonly turns: Turns;
  private readonly connections = new Set<Connection>();
  private readonly idle: Connection[] = [];
  private isClosed = false;

  constructor({ host, port = 5432, database, user, password, tls, connections, statementTimeoutMs }: SqlSettings) {
    const session = {
      default_transaction_read_only: 'on',
      statement_timeout: statementTimeoutMs,
      client_connection_check_interval: watchMs,
      timezone: 'UTC',
      datestyle: 'ISO,YMD',
    };
    this.turns = new Turns(connections);
    this.options = {
      ...{ host, port, database, user },
      ...(password !== undefined && { password }),
      ...(tls !== undefined && { ssl: tls.terms }),
      application_name: 'account-information-gateway',
      options: Object.entries(session)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      types: { getTypeParser: cellOf },
    };
  }

  /** Uses one connection. When the signal fires the call ends at once, and the connection with it. */
  async use<T>(signal: AbortSignal, work: (client: pg.Client) => Promise<T>): Promise<T> {
    await this.turns.take(signal);
    try {
      if (this.isClosed) throw new CoreError('unavailable', 'the adapter was closed');
      const connection = this.idle.pop() ?? this.connect();
      try {
        return await before(signal, this.worked(connection, work));
      } catch (error) {
        if (endsConnection(error)) connection.socket.destroy();
        throw faultOf(error);
      } finally {
        if (connection.options !== this.options) void connection.client.end();
        else if (!connection.socket.destroyed) this.idle.push(connection);
      }
    } finally {
      this.turns.leave();
    }
  }

  useCertificates(terms: TlsTerms): void {
    this.options = { ...this.options, ssl: terms };
    for (const { client } of this.idle.splice(0)) void client.end();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.idle.map(({ client }) => client.end()));
    for (const { socket } of this.connections) socket.destroy();
  }

  private connect(): Connection {
    const socket = new Socket();
    const { options } = this;
    const client = new pg.Client({ ...options, stream: () => socket });
    // An error without a listener would end the process. The waiting statement fails with it as well.
    client.on('error', () => undefined);
    const connection = { options, client, socket, open: client.connect() };
    this.connections.add(connection);
    socket.once('close', () => {
      this.connections.delete(connection);
      const place = this.idle.indexOf(connection);
      if (place >= 0) this.idle.splice(place, 1);
    });
    return connection;
  }

  private async worked<T>({ client, open }: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
    await open.catch((error: unknown) => {
      throw unreachable(error);
    });
    return work(client);
  }
}
