import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import pg from 'pg';
import { changesChannel, FedChanges, readChange } from './change-feed.js';

/** A dead connection says nothing: it is asked this often, and taken for dead when it is silent for as long again. */
const checkIntervalMs = 1000;
const checkTimeoutMs = 1000;
const firstRetryMs = 50;
const lastRetryMs = 2000;

/** Hears every process's changes on a PostgreSQL connection of its own, which it reopens until it is closed. */
export class PostgresChangeFeed extends FedChanges {
  private readonly logger = new Logger(PostgresChangeFeed.name);
  private readonly closing = new AbortController();
  private readonly listening: Promise<void>;

  constructor(private readonly config: ClientConfig) {
    super();
    this.listening = this.keepListening();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.listening;
  }

  private async keepListening(): Promise<void> {
    const { signal } = this.closing;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.listenUntilLost(() => {
          if (failures > 0) this.logger.log('Hears of changes again');
          failures = 0;
        });
      } catch (error) {
        if (failures++ === 0) {
          this.logger.warn(
            `Lost the connection that hears of changes (${codeOf(error)}): every consent is read ` +
              'from the database until it is back',
          );
        }
        await pause(Math.min(firstRetryMs * 2 ** (failures - 1), lastRetryMs), signal);
      }
    }
  }

  /** Rejects when the connection is lost; resolves when this is closed. */
  private async listenUntilLost(onListening: () => void): Promise<void> {
    const client = new pg.Client({ ...this.config, keepAlive: true, query_timeout: checkTimeoutMs });
    const lost = new AbortController();
    client.on('error', (error) => lost.abort(error));
    client.on('end', () => lost.abort(new Error('the database ended it')));
    client.on('notification', ({ payload = '' }) => this.tell(readChange(payload)));
    const closedOrLost = AbortSignal.any([this.closing.signal, lost.signal]);
    try {
      await client.connect();
      await client.query(`LISTEN ${changesChannel}`);
      this.hearUpTo(Number.POSITIVE_INFINITY);
      onListening();
      for (;;) {
        await pause(checkIntervalMs, closedOrLost);
        if (this.closing.signal.aborted) return;
        lost.signal.throwIfAborted();
        await client.query('SELECT 1');
      }
    } finally {
      this.miss();
      // Not asked politely: the peer of a dead connection never answers.
      client.connection.stream.destroy();
    }
  }
}

/** The database's own words stay out of the log: they may quote what it holds. */
function codeOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name;
}

/** Waits, or less long when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
}
