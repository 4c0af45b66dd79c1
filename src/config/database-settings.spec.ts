import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDatabaseSettings } from './database-settings.js';

describe('The database settings of a command', () => {
  it('are the gateway’s: the embedded database, or a PostgreSQL', () => {
    const migrations = 'all';
    expect(readDatabaseSettings({})).toEqual({ dataDir: './data', migrations });
    expect(readDatabaseSettings({ DATA_DIR: '/data', DATABASE_URL: '' })).toEqual({ dataDir: '/data', migrations });
    const url = 'postgresql://gateway:secret@127.0.0.1/bank';
    expect(readDatabaseSettings({ DATABASE_URL: url })).toEqual({ dataDir: './data', url, migrations });
  });

  it('migrate where the gateway does, and guess nothing', () => {
    expect(readDatabaseSettings({ MIGRATE: '' }).migrations).toBe('all');
    expect(readDatabaseSettings({ MIGRATE: 'no' }).migrations).toBe('none');
    expect(() => readDatabaseSettings({ MIGRATE: 'No' })).toThrow('MIGRATE must be yes or no');
  });

  it('may be in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'database-settings-'));
    writeFileSync(join(folder, 'url'), 'postgresql://127.0.0.1/bank\n');
    expect(readDatabaseSettings({ DATABASE_URL_FILE: join(folder, 'url') }).url).toBe('postgresql://127.0.0.1/bank');
    rmSync(folder, { recursive: true });
  });

  it('refuse another machine without TLS, unless that is allowed by name', () => {
    const DATABASE_URL = 'postgresql://gateway:secret@db.bank.example/bank';
    expect(() => readDatabaseSettings({ DATABASE_URL })).toThrow(
      'DATABASE_URL is on another machine, and TLS does not verify that machine: add sslmode=verify-full, or in a sandbox set ALLOW_PLAIN_CONNECTIONS=sandbox',
    );
    expect(readDatabaseSettings({ DATABASE_URL, ALLOW_PLAIN_CONNECTIONS: 'sandbox' }).url).toBe(DATABASE_URL);
  });
});
