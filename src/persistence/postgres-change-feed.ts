import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { monotonicMs } from '../clock/monotonic.js';
import { BootError } from '../config/boot-error.js';
import { changesChannel, FedChanges, decodeChange } from './change-feed.js';
import { afterRunning } from './running-time.js';

/** Where the feed's connection comes from, and how a process that changes something would notify. */
export interface FeedConnections {
  /** A connection that may LISTEN. */
  connect(): Promise<pg.Client>;
  /** Notifies as every process does that changes something: by DATABASE_URL. */
  notify(channel: string, payload: string): Promise<void>;
}

/** So often each process notifies itself. */
const echoIntervalMs = 1_000;
/** An echo that was sent and not heard for so long: the connection that listens is opened anew. */
const silenceMs = 2_000;
const firstEchoPatienceMs = 3_000;
const listenTimeoutMs = 1_000;
const firstRetryMs = 50;
const lastRetryMs = 2_000;

/**
 * Hears every process's changes on a PostgreSQL connection of its own, which it opens anew until it is closed.
 *
 * That a connection is open does not prove that it hears: behind a pooler that shares connections LISTEN succeeds and
 * nothing comes. So the process sends itself an echo, and has heard all that was committed before the newest echo that
 * came back was **sent**: PostgreSQL delivers in the order of commits. The moment at which it was heard proves less: a
 * process that was paused finds an old echo waiting, and behind it changes that it has not heard.
 */
export class PostgresChangeFeed extends FedChanges {
  private readonly logger = new Logger(PostgresChangeFeed.name);
  private readonly closing = new AbortController();
  /** Of this process alone: the echoes of others are none of its business. */
  private readonly echoChannel = `gateway_echo_${randomUUID().replaceAll('-', '')}`;
  /** When the oldest echo was sent that the present session should have heard and did not. */
  private unheardSinceMs: number | undefined;
  private present: Session | undefined;
  private readonly complained = { listening: false, sending: false };
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly connections: FeedConnections) {
    super();
  }

  /**
   * Resolves when the feed has proved that it works, and keeps it working from then on.
   * @throws BootError where nothing is heard, or what the connection says that cannot be had.
   */
  async open(): Promise<void> {
    const session = await this.listen();
    try {
      await this.awaitFirstEcho(session);
    } catch (error) {
      cut(session.client);
      throw error;
    }
    this.run(session);
  }

  /** Listens and sends echoes until it is closed. */
  run(session?: Session): void {
    this.running = Promise.all([this.keepListening(session), this.keepEchoing()]);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private async awaitFirstEcho({ client }: Session): Promise<void> {
    const startMs = monotonicMs();
    while (monotonicMs() - startMs < firstEchoPatienceMs) {
      await this.connections.notify(this.echoChannel, String(monotonicMs()));
      const sentMs = monotonicMs();
      while (monotonicMs() - sentMs < echoIntervalMs) {
        if (this.heardUpToMs >= startMs) return;
        await sleep(5);
      }
    }
    // This process itself may have been too busy to read: what was told comes before the answer to a question.
    await client.query({ text: 'SELECT 1', query_timeout: listenTimeoutMs } as pg.QueryConfig).catch(() => undefined);
    if (this.heardUpToMs < startMs)
      throw new BootError(
        'The feed of changes hears nothing: a withdrawn consent would be served. A connection pooler (PgBouncer in ' +
          'transaction mode, for one) does not pass notifications on: set FEED_DATABASE_URL to a direct connection to the same database.',
      );
  }

  private async keepListening(first: Session | undefined): Promise<void> {
    const { signal } = this.closing;
    let failures = 0;
    for (let next = first; !signal.aborted; next = undefined) {
      try {
        const session = next ?? (await this.listen());
        await aborted(AbortSignal.any([signal, session.lost]));
        if (this.heardUpToMs > Number.NEGATIVE_INFINITY) failures = 0;
        this.distrust();
        cut(session.client);
        if (!signal.aborted) throw session.lost.reason;
      } catch (error) {
        this.complain('listening', error, 'Lost the connection that hears of changes');
        await pause(Math.min(firstRetryMs * 2 ** failures++, lastRetryMs), signal);
      }
    }
  }

  private async listen(): Promise<Session> {
    const client = await this.connections.connect();
    const lost = new AbortController();
    const session = { client, lost: lost.signal, lose: (error: Error) => lost.abort(error) };
    client.on('error', session.lose);
    client.on('end', () => session.lose(new FeedLost('the database ended the connection')));
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === changesChannel) this.tell(decodeChange(payload));
      else this.receiveEcho(Number(payload));
    });
    this.unheardSinceMs = undefined;
    this.present = session;
    try {
      const text = `LISTEN ${changesChannel}; LISTEN ${this.echoChannel}`;
      const end = afterRunning(listenTimeoutMs, () => cut(client));
      await client.query(text).finally(end);
    } catch (error) {
      cut(client);
      throw error;
    }
    return session;
  }

  private receiveEcho(sentMs: number): void {
    this.trustUpTo(sentMs);
    if (this.unheardSinceMs !== undefined && sentMs >= this.unheardSinceMs) this.unheardSinceMs = undefined;
    if (this.complained.listening) this.logger.log('Hears of changes again');
    this.complained.listening = false;
  }

  private async keepEchoing(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      const sentMs = monotonicMs();
      try {
        await this.connections.notify(this.echoChannel, String(sentMs));
        if (this.complained.sending) this.logger.log('Notifies itself again');
        this.complained.sending = false;
        this.expectEcho(sentMs);
      } catch (error) {
        this.complain('sending', error, 'Cannot notify itself by DATABASE_URL');
      }
      await pause(Math.max(0, echoIntervalMs - (monotonicMs() - sentMs)), signal);
    }
  }

  /** The echo was sent, and is on its way where this process listens. */
  private expectEcho(sentMs: number): void {
    if (this.heardUpToMs >= sentMs) return;
    this.unheardSinceMs ??= sentMs;
    if (sentMs - this.unheardSinceMs < silenceMs) return;
    this.unheardSinceMs = undefined;
    this.present?.lose(new FeedLost('no echo'));
  }

  private complain(about: 'listening' | 'sending', error: unknown, what: string): void {
    if (this.complained[about] || this.closing.signal.aborted) return;
    this.complained[about] = true;
    this.logger.warn(`${what} (${codeOf(error)}): every consent is read from the database until it is back`, error);
  }
}

/** The connection that listens is open no more, or hears nothing. The message is in our own words. */
class FeedLost extends Error {
  override readonly name = 'FeedLost';
}

interface Session {
  readonly client: pg.Client;
  /** Aborted when nothing more is heard. */
  readonly lost: AbortSignal;
  readonly lose: (error: Error) => void;
}

/** Not asked politely: the peer of a dead connection never answers. */
function cut(client: pg.Client): void {
  client.connection.stream.destroy();
}

/** The database's own words stay out of the log: they may quote what it holds. */
function codeOf(error: unknown): string {
  const { code, name, message } = error as NodeJS.ErrnoException;
  return code ?? (error instanceof FeedLost ? message : name);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** Waits, or less long when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
}
