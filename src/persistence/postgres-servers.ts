import type pg from 'pg';
import type { ClientConfig, PoolConfig } from 'pg';
import { monotonicMs } from '../clock/monotonic.js';
import type { DatabaseLimits } from '../config/database-config.js';
import type { DatabaseAddress, DatabaseServer } from '../config/database-url.js';
import { judge } from './postgres-judgement.js';
import { readTlsFiles } from './postgres-tls.js';
import { PrimaryClient, PrimaryPool, type Servers } from './primary-connections.js';

/** A server that could not be used at the last attempt. */
export interface FaultyServer extends DatabaseServer {
  readonly user?: string | undefined;
  readonly database?: string | undefined;
  readonly error: Error;
}

/**
 * Behind a pooler the server can change while a connection stays open. So a connection is not used where the last
 * judgement, on any connection, is older than this.
 */
const judgedForMs = 1_000;

/**
 * The servers of one address, of which one is the primary. Each new connection goes to the last known primary, and to the
 * others in turn where that server does not answer or is no primary any more.
 */
export class PostgresServers implements Servers {
  readonly schema: string;
  /**
   * The limit for opening a connection, and again for its judgement. The driver's own limit would also count time in which
   * this process was paused.
   */
  readonly connectTimeoutMs: number;
  private index = 0;
  private readonly connections = new Set<pg.Client>();
  private readonly config: ClientConfig;
  /** The start of the last judgement that found the primary. */
  private judgedMs = Number.NEGATIVE_INFINITY;
  /** Faults while connecting, for which the next server is tried. */
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

  /** Opens a connection to the primary. Rejects with the error of the last server that was tried. */
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

  pool(config: PoolConfig & { readonly statementTimeoutMs: number }): pg.Pool {
    const { statementTimeoutMs, ...rest } = config;
    const pool = new PrimaryPool({ ...this.sessionConfig(statementTimeoutMs), ...rest }, this);
    // An idle connection that the database ends is replaced at the next use. Without a listener its error would end the
    // process.
    pool.on('error', () => undefined);
    // After a time limit the transaction of a connection may still be open, and the next change would be lost with it.
    pool.on('release', (_error, client) => {
      if (client.getTransactionStatus() !== 'I') void client.end();
    });
    return pool;
  }

  disconnectAll(): void {
    for (const client of this.connections) client.connection.stream.destroy();
  }

  get next(): DatabaseServer {
    return this.address.servers[this.index] ?? {};
  }

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

  /** The server could not be used: the next one becomes current, unless a concurrent failure has already changed it. */
  failed(server: DatabaseServer, { host, port, user, database }: pg.Client, error: Error): void {
    this.connectFaults.add(error);
    this.faults.set(server, { host, port, user, database, error });
    if (server === this.next) this.index = (this.index + 1) % this.count;
  }

  /** Whether connecting failed, and not the wait for a connection. */
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
