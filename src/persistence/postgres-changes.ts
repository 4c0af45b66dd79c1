import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import pg from 'pg';
import { ConsentChanges } from '../consents/consent.store.js';
import { consentChangedChannel } from './database.js';

/** A dead connection says nothing: it is asked this often, and taken for dead when it is silent for as long again. */
const checkIntervalMs = 1000;
const checkTimeoutMs = 1000;
const firstRetryMs = 50;
const lastRetryMs = 2000;

/** Hears every process's changes on a PostgreSQL connection of its own, which it reopens until it is closed. */
export class PostgresConsentChanges extends ConsentChanges {
  private readonly logger = new Logger(PostgresConsentChanges.name);
  private readonly listeners: { onChange: (consentId: string) => void; onHearing: (hearing: boolean) => void }[] = [];
  private readonly closing = new AbortController();
  private hearing = false;
  private readonly listening: Promise<void>;

  constructor(private readonly config: ClientConfig) {
    super();
    this.listening = this.keepListening();
  }

  /** `onHearing` is called at once with the present state. */
  override subscribe(onChange: (consentId: string) => void, onHearing: (hearing: boolean) => void): void {
    this.listeners.push({ onChange, onHearing });
    onHearing(this.hearing);
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
          if (failures > 0) this.logger.log('Hears of consent changes again');
          failures = 0;
        });
      } catch (error) {
        if (failures++ === 0) {
          this.logger.warn(
            `Lost the connection that hears of consent changes (${codeOf(error)}): every consent is read ` +
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
    client.on('notification', ({ payload = '' }) => this.tell(payload));
    const closedOrLost = AbortSignal.any([this.closing.signal, lost.signal]);
    try {
      await client.connect();
      await client.query(`LISTEN ${consentChangedChannel}`);
      this.hear(true);
      onListening();
      for (;;) {
        await pause(checkIntervalMs, closedOrLost);
        if (this.closing.signal.aborted) return;
        lost.signal.throwIfAborted();
        await client.query('SELECT 1');
      }
    } finally {
      this.hear(false);
      // Not asked politely: the peer of a dead connection never answers.
      client.connection.stream.destroy();
    }
  }

  private hear(hearing: boolean): void {
    if (hearing === this.hearing) return;
    this.hearing = hearing;
    for (const { onHearing } of this.listeners) onHearing(hearing);
  }

  private tell(consentId: string): void {
    for (const { onChange } of this.listeners) onChange(consentId);
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
