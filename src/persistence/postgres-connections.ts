import pg, { type ClientConfig, type PoolConfig } from 'pg';
import type { DatabaseLimits } from '../config/database-config.js';
import type { DatabaseAddress } from '../config/database-url.js';
import { SystemUnreachable } from '../outgoing/system-unreachable.js';
import { readTlsFiles } from './postgres-tls.js';
import { afterRunning } from './running-time.js';

// Neither error has a `code`: Prisma puts an own error in the place of every error that has one.

/** A server that answers and that the gateway cannot use. */
export class UnusableServer extends SystemUnreachable {
  override readonly name = 'UnusableServer';

  constructor(
    readonly why: 'standby' | 'no-schema' | 'search-path',
    readonly schema: string,
  ) {
    super(why);
  }
}

/** The server did not answer, or the connection to it broke. The cause has the code of Node or OpenSSL, if there is one. */
export class DatabaseUnreachable extends SystemUnreachable {
  override readonly name = 'DatabaseUnreachable';
  readonly host: string;
  readonly port: number;

  constructor({ host, port }: Pick<Target, 'host' | 'port'>, cause: Error) {
    super('the database did not answer', { cause });
    this.host = host;
    this.port = port;
  }
}

export type Target = Pick<pg.Client, 'host' | 'port' | 'user' | 'database'>;

const question = `SELECT pg_is_in_recovery() AS standby, current_schema() AS schema,
  to_regnamespace(quote_ident($1)) IS NOT NULL AS "hasSchema"`;

interface Answer {
  readonly standby: boolean;
  readonly schema: string | null;
  readonly hasSchema: boolean;
}

/** SQLSTATE of a statement that writes, on a standby or in a session that is read-only. */
const readOnly = '25006';

/** The connections to the one address of a database. Each is checked when it opens, before it is used. */
export class PostgresConnections {
  readonly schema: string;
  readonly connectTimeoutMs: number;
  private readonly pools: pg.Pool[] = [];
  private readonly open = new Set<CheckedClient>();
  private readonly config: ClientConfig;

  constructor(
    private readonly address: DatabaseAddress,
    limits: Pick<DatabaseLimits, 'connectTimeoutMs'>,
  ) {
    this.connectTimeoutMs = address.connectTimeoutMs ?? limits.connectTimeoutMs;
    this.schema = address.schema ?? 'public';
    const { host, port, user, password, database, applicationName, tls } = address;
    this.config = {
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...(user !== undefined && { user }),
      ...(password !== undefined && { password }),
      ...(database !== undefined && { database }),
      application_name: applicationName,
      keepAlive: true,
      ...(tls !== undefined && { ssl: tls && readTlsFiles(tls) }),
    };
  }

  /** The server and its user, with the driver's defaults for the parts that the address does not have. */
  get target(): Target {
    return new pg.Client(this.config);
  }

  /** Only this function reads the driver's errors: most of them have no code. An error of the server has one. */
  explained(error: Error): Error {
    const isOfDriver = !(error instanceof pg.DatabaseError || error instanceof SystemUnreachable);
    // Any other name is that of a fault in a program.
    return isOfDriver && ['Error', 'AggregateError'].includes(error.name)
      ? new DatabaseUnreachable(this.target, error)
      : error;
  }

  /** @throws UnusableServer, or the error of the driver */
  async connect(): Promise<pg.Client> {
    const client = new CheckedClient(this.sessionConfig(), this);
    await client.connect();
    return client;
  }

  pool({ statementTimeoutMs, ...config }: PoolConfig & { readonly statementTimeoutMs: number }): pg.Pool {
    const session = this.sessionConfig(statementTimeoutMs);
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the driver makes the clients
    const connections = this;
    const pool = new CheckedPool(
      {
        ...session,
        ...config,
        connectionTimeoutMillis: this.connectTimeoutMs,
        Client: class extends CheckedClient {
          constructor() {
            super({ ...session, ...config }, connections);
          }
        },
      },
      this,
    );
    // An idle connection that the database ends is replaced at the next use. Without a listener its error would end the
    // process.
    pool.on('error', () => undefined);
    pool.on('release', (_error, client) => {
      // After a time limit the transaction of a connection may still be open, and the next change would be lost with it.
      if (isOutdated(client) || client.getTransactionStatus() !== 'I') void client.end();
    });
    this.pools.push(pool);
    return pool;
  }

  /** No statement begins on any present connection again. A statement that waits for its answer may get it. */
  dropAll(): void {
    for (const client of this.open) client.isOutdated = true;
    // The pool ends a connection only when it is released, and has no list of those that wait.
    for (const pool of this.pools)
      for (let idle = pool.idleCount; idle > 0; idle--) pool.connect((_error, _client, done) => done());
  }

  opened(client: CheckedClient): void {
    this.open.add(client);
    client.once('end', () => this.open.delete(client));
  }

  private sessionConfig(statementTimeoutMs?: number): ClientConfig {
    // As options, not as separate parameters: a pooler must then allow one name only.
    const options = [
      ...(statementTimeoutMs === undefined ? [] : [`-c statement_timeout=${statementTimeoutMs}`]),
      this.address.options,
      // Prisma names the schema in each statement; migrations and the gateway's SQL need the search path.
      `-c search_path="${this.schema.replaceAll(/[\\ ]/g, '\\$&')}"`,
    ];
    return { ...this.config, options: options.join(' ').trim() };
  }
}

class CheckedPool extends pg.Pool {
  constructor(
    config: PoolConfig,
    private readonly connections: PostgresConnections,
  ) {
    super(config);
  }

  override connect(...given: never[]): never {
    return intercepted(super.connect.bind(this), given, (error) => this.connections.explained(error)) as never;
  }
}

const isOutdated = (client: pg.ClientBase): boolean => client instanceof CheckedClient && client.isOutdated;

class CheckedClient extends pg.Client {
  isOutdated = false;

  constructor(
    config: ClientConfig,
    private readonly connections: PostgresConnections,
  ) {
    super(config);
    // The same error rejects the query under way, which reports it. Without a listener it would end the process.
    this.on('error', () => undefined);
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error | undefined) => void): void;
  override connect(callback?: (error: Error | undefined) => void): Promise<this> | void {
    const connecting = this.connectAndCheck();
    if (callback === undefined) return connecting;
    connecting.then(() => callback(undefined), callback);
  }

  /** A pooler or balancer may send an open connection to another server: the first statement that cannot write says so. */
  override query(...given: never[]): never {
    return intercepted(super.query.bind(this), given, (error) => {
      if ((error as { code?: unknown }).code === readOnly) this.connections.dropAll();
      return this.connections.explained(error);
    }) as never;
  }

  private async connectAndCheck(): Promise<this> {
    let late: Error | undefined;
    const end = afterRunning(this.connections.connectTimeoutMs, () => {
      late = new DatabaseUnreachable(this, Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' }));
      this.connection.stream.destroy(late);
    });
    try {
      await super.connect();
      await this.check();
      this.connections.opened(this);
      return this;
    } catch (error) {
      this.connection.stream.destroy();
      throw late ?? this.connections.explained(error as Error);
    } finally {
      end();
    }
  }

  private async check(): Promise<void> {
    const { schema } = this.connections;
    const { rows } = await super.query<Answer>(question, [schema]);
    const [found] = rows;
    if (found === undefined || found.standby) throw new UnusableServer('standby', schema);
    if (!found.hasSchema) throw new UnusableServer('no-schema', schema);
    if (found.schema !== schema) throw new UnusableServer('search-path', schema);
  }
}

/** Calls a method of the driver, which answers by a promise or by its last argument. `replace` gives the error of the answer. */
function intercepted(method: unknown, given: readonly unknown[], replace: (error: Error) => Error): unknown {
  const call = method as (...given: unknown[]) => Promise<unknown>;
  const callback = given.at(-1);
  if (typeof callback !== 'function')
    return call(...given).catch((error: unknown) => {
      throw replace(error as Error);
    });
  return call(...given.slice(0, -1), (error: Error | null | undefined, ...rest: unknown[]) => {
    (callback as (...given: unknown[]) => void)(error ? replace(error) : error, ...rest);
  });
}
