import pg, { type ClientConfig, type PoolConfig } from 'pg';
import type { DatabaseServer } from '../config/database-url.js';
import { UnusableServer } from './postgres-judgement.js';
import { afterRunning } from './running-time.js';

/** The part of {@link PostgresServers} that its connections use. */
export interface Servers {
  readonly count: number;
  /** The limit for opening a connection, and again for its judgement. */
  readonly connectTimeoutMs: number;
  readonly next: DatabaseServer;
  opened(client: pg.Client): void;
  /** Rejects where the server that answers is unusable. */
  judge(client: pg.Client): Promise<void>;
  /** Whether the last judgement is too old to use a connection. */
  readonly isJudgementDue: boolean;
  disconnectAll(): void;
  markUsable(server: DatabaseServer): void;
  failed(server: DatabaseServer, client: pg.Client, error: Error): void;
  isConnectFault(error: Error): boolean;
}

/** A connection to the current server. Connecting fails where that server is not the primary. */
export class PrimaryClient extends pg.Client {
  constructor(
    config: ClientConfig,
    private readonly servers: Servers,
    private readonly server = servers.next,
  ) {
    super({ ...config, ...server });
    // The same error rejects the query under way, which reports it. Without a listener it would end the process.
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
      await this.inTime(super.connect());
      this.servers.opened(this);
      await this.inTime(this.servers.judge(this));
      this.servers.markUsable(this.server);
      return this;
    } catch (error) {
      this.servers.failed(this.server, this, error as Error);
      this.connection.stream.destroy();
      throw error;
    }
  }

  /** Where the server is no primary any more, nothing more is read from it, on any connection. */
  async judgeAgain(): Promise<void> {
    try {
      await this.inTime(this.servers.judge(this));
    } catch (error) {
      if (error instanceof UnusableServer) {
        this.servers.failed(this.server, this, error);
        this.servers.disconnectAll();
      }
      throw error;
    }
  }

  private async inTime<T>(answer: Promise<T>): Promise<T> {
    let late: Error | undefined;
    const end = afterRunning(this.servers.connectTimeoutMs, () => {
      late = new Error('timeout expired');
      this.connection.stream.destroy(late);
    });
    try {
      return await answer;
    } catch (error) {
      throw late ?? error;
    } finally {
      end();
    }
  }
}

/** Connections to the primary. Where one server fails, the next one is tried. */
export class PrimaryPool extends pg.Pool {
  constructor(
    config: PoolConfig,
    private readonly servers: Servers,
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
    const waiting = this.limitWaiting(callback);
    const refuse = (error: Error, done: () => void): void => {
      if (tries < this.servers.count && this.servers.isConnectFault(error)) this.tryEach(tries + 1, callback);
      else callback(error, undefined, done);
    };
    super.connect((error, client, done) => {
      if (waiting.isOver()) return void done();
      if (client === undefined) refuse(error ?? new Error('there is no connection'), done);
      else if (!this.servers.isJudgementDue) callback(undefined, client, done);
      else
        (client as pg.Client as PrimaryClient).judgeAgain().then(
          () => callback(undefined, client, done),
          (fault: Error) => {
            done(true);
            refuse(fault, () => undefined);
          },
        );
    });
  }

  /** Limits the wait for a connection of the pool while all are in use. Opening a connection has its own limit. */
  private limitWaiting(callback: Connected): { isOver(): boolean } {
    if (this.totalCount < (this.options.max ?? 0)) return { isOver: () => false };
    let over = false;
    const end = afterRunning(this.servers.connectTimeoutMs, () => {
      over = true;
      callback(new Error('timeout exceeded when trying to connect'), undefined, () => undefined);
    });
    return {
      isOver: () => {
        end();
        return over;
      },
    };
  }
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean) => void,
) => void;
