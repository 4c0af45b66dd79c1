import pg, { type ClientConfig, type PoolConfig } from 'pg';
import type { DatabaseLimits } from '../config/database-config.js';
import type { DatabaseAddress, DatabaseServer } from '../config/database-url.js';
import { readTlsFiles } from './postgres-tls.js';

/** Why a server that answers is none for the gateway. */
export class UnusableServer extends Error {
  override readonly name = 'UnusableServer';

  constructor(
    readonly code: 'standby' | 'read-only' | 'no-schema' | 'search-path',
    readonly schema: string,
  ) {
    super(code);
  }
}

/** A server that could not be used when it was tried last. */
export interface FaultyServer extends DatabaseServer {
  readonly user?: string | undefined;
  readonly database?: string | undefined;
  readonly error: Error;
}

/** One judgement per new connection: a server that was a primary may be a standby when it is back. */
const judgement = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS "readOnly",
  current_schema() AS schema, to_regnamespace(quote_ident($1)) IS NOT NULL AS "hasSchema"`;

interface Judgement {
  readonly standby: boolean;
  readonly readOnly: boolean;
  readonly schema: string | null;
  readonly hasSchema: boolean;
}

/**
 * The servers of one address, of which one is the primary. Each new connection goes to the server that was the primary
 * last, and to the others in turn where that does not answer or is none any more.
 */
export class PostgresServers {
  readonly schema: string;
  private index = 0;
  private readonly connections = new Set<pg.Client>();
  private readonly config: ClientConfig;
  /** Faults while connecting: another server may do better. */
  private readonly connectFaults = new WeakSet<Error>();
  private readonly faults = new Map<DatabaseServer, FaultyServer>();

  constructor(
    private readonly address: DatabaseAddress,
    private readonly limits: Pick<DatabaseLimits, 'connectTimeoutMs'>,
  ) {
    this.schema = address.schema ?? 'public';
    const { user, password, database, applicationName, tls } = address;
    this.config = {
      ...(user !== undefined && { user }),
      ...(password !== undefined && { password }),
      ...(database !== undefined && { database }),
      application_name: applicationName,
      connectionTimeoutMillis: address.connectTimeoutMs ?? limits.connectTimeoutMs,
      keepAlive: true,
      ...(tls !== undefined && { ssl: tls && readTlsFiles(tls) }),
    };
  }

  get count(): number {
    return this.address.servers.length;
  }

  /** A connection to the primary. Rejects with what the last server that was tried said. */
  async connect(): Promise<pg.Client> {
    for (let tries = 1; ; tries++) {
      const client = new PrimaryClient(this.sessionConfig(), this);
      try {
        await client.connect();
        return client;
      } catch (error) {
        if (tries === this.count) throw error;
      }
    }
  }

  /** Connections to the primary that are made as they are needed. */
  pool(config: PoolConfig & { readonly statementTimeoutMs: number }): pg.Pool {
    const { statementTimeoutMs, ...rest } = config;
    const pool = new PrimaryPool({ ...this.sessionConfig(statementTimeoutMs), ...rest }, this);
    // An idle connection that the database ends is replaced when it is next needed; without a listener its error would end the process.
    pool.on('error', () => undefined);
    return pool;
  }

  /** Closes every connection. Each new connection checks the server's role. */
  disconnectAll(): void {
    for (const client of this.connections) client.connection.stream.destroy();
  }

  /** Where the next connection goes. */
  get next(): DatabaseServer {
    return this.address.servers[this.index] ?? {};
  }

  /** Those that could not be used when they were tried last. */
  get faulty(): readonly FaultyServer[] {
    return [...this.faults.values()];
  }

  opened(client: pg.Client): void {
    this.connections.add(client);
    client.once('end', () => this.connections.delete(client));
  }

  markUsable(server: DatabaseServer): void {
    this.faults.delete(server);
  }

  /** The server could not be used: another one is next, if nobody saw to that already. */
  failed(server: DatabaseServer, { host, port, user, database }: pg.Client, error: Error): void {
    this.connectFaults.add(error);
    this.faults.set(server, { host, port, user, database, error });
    if (server === this.next) this.index = (this.index + 1) % this.count;
  }

  /** Whether the error came of connecting, and not of waiting for a connection. */
  isConnectFault(error: Error): boolean {
    return this.connectFaults.has(error) || (error.cause instanceof Error && this.connectFaults.has(error.cause));
  }

  /** @throws UnusableServer */
  async judge(client: pg.Client): Promise<void> {
    const { rows } = await client.query<Judgement>({
      text: judgement,
      values: [this.schema],
      query_timeout: this.limits.connectTimeoutMs,
    } as pg.QueryConfig);
    const [{ standby, readOnly, schema, hasSchema } = { standby: true } as Judgement] = rows;
    if (standby) throw new UnusableServer('standby', this.schema);
    if (readOnly && this.address.readWrite) throw new UnusableServer('read-only', this.schema);
    if (!hasSchema) throw new UnusableServer('no-schema', this.schema);
    if (schema !== this.schema) throw new UnusableServer('search-path', this.schema);
  }

  get needsReadWrite(): boolean {
    return this.address.readWrite;
  }

  private sessionConfig(statementTimeoutMs?: number): ClientConfig {
    // As options, not as parameters of their own: a pooler that is to let them pass must know one name only.
    const options = [
      ...(statementTimeoutMs === undefined ? [] : [`-c statement_timeout=${statementTimeoutMs}`]),
      this.address.options,
      // Prisma names the schema in each statement; migrations and our own SQL rely on the path.
      `-c search_path="${this.schema.replaceAll(/[\\ ]/g, '\\$&')}"`,
    ];
    return { ...this.config, options: options.join(' ').trim() };
  }
}

/** A connection to the server that is next; connecting fails where that is not the primary. */
class PrimaryClient extends pg.Client {
  constructor(
    config: ClientConfig,
    private readonly servers: PostgresServers,
    private readonly server = servers.next,
  ) {
    super({ ...config, ...server });
    // It also rejects the query under way, which is where it is reported; without a listener it would end the process.
    this.on('error', () => undefined);
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error | undefined) => void): void;
  override connect(callback?: (error: Error | undefined) => void): Promise<this> | void {
    const connecting = this.connectToPrimary();
    if (callback === undefined) return connecting;
    connecting.then(() => callback(undefined), callback);
  }

  private async connectToPrimary(): Promise<this> {
    try {
      await super.connect();
      this.servers.opened(this);
      await this.servers.judge(this);
      this.servers.markUsable(this.server);
      return this;
    } catch (error) {
      this.servers.failed(this.server, this, error as Error);
      this.connection.stream.destroy();
      throw error;
    }
  }
}

class PrimaryPool extends pg.Pool {
  constructor(
    config: PoolConfig,
    private readonly servers: PostgresServers,
  ) {
    const ofServers = class extends PrimaryClient {
      constructor() {
        super(config, servers);
      }
    };
    super({ ...config, Client: ofServers });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (callback === undefined)
      return new Promise((resolve, reject) => {
        this.tryEach(1, (error, client) => {
          if (client === undefined) reject(error ?? new Error('there is no connection'));
          else resolve(client);
        });
      });
    this.tryEach(1, callback);
  }

  private tryEach(tries: number, callback: Connected): void {
    super.connect((error, client, done) => {
      if (error !== undefined && tries < this.servers.count && this.servers.isConnectFault(error))
        this.tryEach(tries + 1, callback);
      else callback(error, client, done);
    });
  }
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean) => void,
) => void;
