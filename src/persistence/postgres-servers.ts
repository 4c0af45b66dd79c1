import type pg from 'pg';
import type { ClientConfig, PoolConfig } from 'pg';
import { monotonicMs } from '../clock/monotonic.js';
import type { DatabaseLimits } from '../config/database-config.js';
import type { DatabaseAddress, DatabaseServer } from '../config/database-url.js';
import { judge } from './postgres-judgement.js';
import { readTlsFiles } from './postgres-tls.js';
import { PrimaryClient, PrimaryPool, type Servers } from './primary-connections.js';

/** A server that could not be used when it was tried last. */
export interface FaultyServer extends DatabaseServer {
  readonly user?: string | undefined;
  readonly database?: string | undefined;
  readonly error: Error;
}

/**
 * Behind a pooler the server can become another one while our connection stays open: a connection is not used where the last
 * judgement, on whatever connection, is older than this.
 */
const judgedForMs = 1_000;

/**
 * The servers of one address, of which one is the primary. Each new connection goes to the server that was the primary
 * last, and to the others in turn where that does not answer or is none any more.
 */
export class PostgresServers implements Servers {
  readonly schema: string;
  /** For a connection, and as long again for its judgement. The driver's own limit would count time in which nothing is read. */
  readonly connectTimeoutMs: number;
  private index = 0;
  private readonly connections = new Set<pg.Client>();
  private readonly config: ClientConfig;
  /** When the last judgement began that found the primary. */
  private judgedMs = Number.NEGATIVE_INFINITY;
  /** Faults while connecting: another server may do better. */
  private readonly connectFaults = new WeakSet<Error>();
  private readonly faults = new Map<DatabaseServer, FaultyServer>();

  constructor(
    private readonly address: DatabaseAddress,
    limits: Pick<DatabaseLimits, 'connectTimeoutMs'>,
  ) {
    this.connectTimeoutMs = address.connectTimeoutMs ?? limits.connectTimeoutMs;
    this.schema = address.schema ?? 'public';
    const { user, password, database, applicationName, tls } = address;
    this.config = {
      ...(user !== undefined && { user }),
      ...(password !== undefined && { password }),
      ...(database !== undefined && { database }),
      application_name: applicationName,
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

  /** Closes every connection. */
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

  get isJudgementDue(): boolean {
    return monotonicMs() - this.judgedMs >= judgedForMs;
  }

  /** @throws UnusableServer */
  async judge(client: pg.Client): Promise<void> {
    const beganMs = monotonicMs();
    await judge(client, this.schema, this.address.readWrite);
    this.judgedMs = beganMs;
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
