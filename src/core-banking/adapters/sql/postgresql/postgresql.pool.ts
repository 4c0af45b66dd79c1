import pg from 'pg';
import { isCoreError } from '../../../../../packages/core-adapter/core-error.js';
import type { TlsTerms } from '../../../../../packages/core-adapter/tls-files.js';
import { unlessAborted } from '../../../../../packages/core-adapter/unless-aborted.js';
import { late } from '../dialect.js';
import type { SqlSettings } from '../sql.settings.js';
import { cellOf } from './postgresql.cells.js';
import { endsSession, faultOf, unreachable } from './postgresql.faults.js';

/** How soon the server notices that the adapter has given a statement up. */
const watchMs = 250;
/** The pool closes a session that waits longer for its next use. */
const idleTimeoutMillis = 60_000;

class Session extends pg.Client {
  constructor(
    { host, port = 5432, database, user, password, statementTimeoutMs }: SqlSettings,
    readonly tls: TlsTerms | undefined,
  ) {
    const session = {
      default_transaction_read_only: 'on',
      statement_timeout: statementTimeoutMs,
      client_connection_check_interval: watchMs,
      timezone: 'UTC',
      datestyle: 'ISO,YMD',
    };
    super({
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
    });
    // An error without a listener would end the process. The waiting statement fails with it as well.
    this.on('error', () => undefined);
  }
}

/**
 * The sessions of node-postgres's pool, for calls that may be given up. A statement that is given up ends with its session:
 * the server watches the connection while the statement runs, so that no second connection has to cancel it.
 */
export class PostgresqlPool {
  private readonly pool: pg.Pool;
  private readonly opening = new Set<pg.ClientBase>();
  private readonly busy = new Set<pg.Client>();
  /** How many calls wait for a session. */
  private waiting = 0;

  constructor(
    settings: SqlSettings,
    private tls = settings.tls,
  ) {
    const open = (session: Session): unknown => this.opening.add(session);
    const terms = (): TlsTerms | undefined => this.tls;
    this.pool = new pg.Pool({
      max: settings.connections,
      connectionTimeoutMillis: settings.statementTimeoutMs,
      idleTimeoutMillis,
      Client: class extends Session {
        constructor() {
          super(settings, terms());
          open(this);
        }
      },
    });
    this.pool.on('connect', (session) => this.opening.delete(session));
    this.pool.on('error', () => undefined);
  }

  /** Uses one session. When the signal fires the call ends at once, and the session with it. */
  async use<T>(signal: AbortSignal, work: (session: pg.Client) => Promise<T>): Promise<T> {
    const session = await this.session(signal);
    let isOver = false;
    this.busy.add(session);
    try {
      return await unlessAborted(signal, work(session), late);
    } catch (error) {
      isOver = isCoreError(error) || endsSession(error);
      throw faultOf(error);
    } finally {
      this.busy.delete(session);
      session.release(isOver || this.isOutdated(session));
    }
  }

  /** No statement under way ends; a session with other certificates is used no further. */
  useCertificates(tls: TlsTerms): void {
    this.tls = tls;
  }

  async close(): Promise<void> {
    const ended = this.pool.end();
    this.endOpening();
    for (const session of this.busy) session.connection.stream.destroy();
    await ended;
  }

  private async session(signal: AbortSignal): Promise<pg.PoolClient & pg.Client> {
    if (signal.aborted) throw late();
    this.waiting++;
    const connecting = this.pool.connect() as Promise<pg.PoolClient & pg.Client>;
    try {
      const session = await unlessAborted(signal, connecting, late);
      if (!this.isOutdated(session)) return session;
      session.release(true);
    } catch (error) {
      if (signal.aborted) void this.unclaimed(connecting);
      throw isCoreError(error) ? error : unreachable(error);
    } finally {
      this.waiting--;
      if (this.waiting === 0) this.endOpening();
    }
    return this.session(signal);
  }

  /** The pool serves a call that was given up, and each one may open a session. */
  private async unclaimed(connecting: Promise<pg.PoolClient>): Promise<void> {
    await connecting.then(
      (session) => session.release(),
      () => undefined,
    );
    if (this.waiting === 0) this.endOpening();
  }

  private endOpening(): void {
    for (const session of this.opening) (session as pg.Client).connection.stream.destroy();
    this.opening.clear();
  }

  private isOutdated(session: pg.ClientBase): boolean {
    return (session as unknown as Session).tls !== this.tls;
  }
}
