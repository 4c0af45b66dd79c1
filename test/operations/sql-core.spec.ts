import { afterAll } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import { kit, kitOfFile } from '../cores/sql/sql.kit.js';

const cores = join(import.meta.dirname, '../cores/sql');
const folder = mkdtempSync(join(tmpdir(), 'sql-core-'));
afterAll(() => rmSync(folder, { recursive: true }));

await describeCoreAdapter('sql, with codes, flags and days in numbers', kit);
await describeCoreAdapter('sql, with texts, instants and minor units', kitOfFile(join(cores, 'views.yaml')));
await describeCoreAdapter('sql, with local times', kitOfFile(inLocalTimes()));

/** The same views, as a core shows them that knows no zones. */
function inLocalTimes(): string {
  const write = (name: string, from: RegExp, to: string): string => {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(join(cores, name), 'utf8').replaceAll(from, to));
    return path;
  };
  write('views.sql', /timestamptz/g, 'timestamp');
  return write('views.yaml', /as: instant/g, 'as: local-time');
}
