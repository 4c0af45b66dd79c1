import { Socket } from 'node:net';
import pg from 'pg';
import { CoreError } from '../../../packages/core-adapter/core-error.js';
import type { Row } from '../../../packages/core-adapter/core-rows.js';
import { CoreSettingFault, type CoreSettings } from '../../../packages/core-adapter/core-settings.js';
import { before } from './deadline.js';
import { Turns } from './turns.js';

interface Connection {
  readonly client: pg.Client;
  readonly socket: Socket;
  readonly open: Promise<unknown>;
}

/**
 * The transport to a core in PostgreSQL: every fault as a {@link CoreError} that repeats nothing from the database.
 * It does not use node-postgres's pool, which can abandon neither a connection attempt nor a waiting query.
 */
export class DatabaseClient {
  private readonly options: pg.ClientConfig;
  private readonly turns: Turns;
  private readonly connections = new Set<Connection>();
  private readonly idle: Connection[] = [];
  private isClosed = false;

  constructor({ url, connections, variables }: CoreSettings) {
    const { protocol, username, hostname: host, port, pathname } = new URL(url);
    if (protocol !== 'postgresql:') throw new CoreSettingFault('CORE_URL', 'must begin with postgresql://');
    // The gateway shows its CORE_URL to operators.
    if (username !== '') throw new CoreSettingFault('CORE_URL', 'must name no user: CORE_USERNAME does');
    const { CORE_USERNAME: user, CORE_PASSWORD: password } = variables;
    if (!user) throw new CoreSettingFault('CORE_USERNAME', 'must be the user of the database');
    if (!password) throw new CoreSettingFault('CORE_PASSWORD', 'must be the password of CORE_USERNAME');
    this.turns = new Turns(connections);
    const parameters = { host, port: Number(port || 5432), database: pathname.slice(1), user, password };
    this.options = { ...parameters, ssl: host !== '127.0.0.1', types: { getTypeParser: parserOf } };
  }

  /** The rows of one statement. When the signal fires it ends at once, and the connection with it. */
  async query(text: string, values: readonly unknown[], signal: AbortSignal): Promise<Row[]> {
    await this.turns.take(signal);
    try {
      if (this.isClosed) throw new CoreError('unavailable', 'the adapter was closed');
      const connection = this.idle.pop() ?? this.connect();
      try {
        return await before(signal, this.rowsOf(connection, text, values));
      } catch (error) {
        if (!isOfStatement(error)) connection.socket.destroy();
        throw faultOf(error);
      } finally {
        if (!connection.socket.destroyed) this.idle.push(connection);
      }
    } finally {
      this.turns.leave();
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.idle.map(({ client }) => client.end()));
    for (const { socket } of this.connections) socket.destroy();
  }

  private connect(): Connection {
    const socket = new Socket();
    const client = new pg.Client({ ...this.options, stream: () => socket });
    // An error without a listener would end the process. The waiting statement fails with it as well.
    client.on('error', () => undefined);
    const connection = { client, socket, open: client.connect() };
    this.connections.add(connection);
    socket.once('close', () => {
      this.connections.delete(connection);
      const place = this.idle.indexOf(connection);
      if (place >= 0) this.idle.splice(place, 1);
    });
    return connection;
  }

  private async rowsOf({ client, open }: Connection, text: string, values: readonly unknown[]): Promise<Row[]> {
    await open.catch((error: unknown) => {
      throw unreachable(error);
    });
    return (await client.query<Row>(text, [...values])).rows;
  }
}

/** Days stay texts: node-postgres would make them midnights of the machine's own time zone. */
function parserOf(type: number, format?: 'text' | 'binary'): (value: string) => unknown {
  const { types } = pg;
  return type === Number(types.builtins.DATE) ? String : types.getTypeParser(type, format);
}

/** The classes of SQLSTATE for faults of the connection or the server, not of the statement. */
const ofTheServer = /^(08|53|57)/;

function isOfStatement(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !ofTheServer.test(error.code ?? '08');
}

function faultOf(error: unknown): CoreError {
  if (error instanceof CoreError) return error;
  if (!isOfStatement(error)) return unreachable(error);
  return new CoreError('bad-record', `the database refused a statement (${error.code})`);
}

/** A refused connection, for a wrong password too, is a fault of the bank and no wrong answer of its core. */
function unreachable(error: unknown): CoreError {
  const { code = 'no code' } = error as { code?: string };
  return new CoreError('unavailable', `the database cannot be reached (${code})`);
}
