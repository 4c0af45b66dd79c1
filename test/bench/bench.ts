import { loadavg } from 'node:os';
import { freshPostgres } from '../support/fresh-database.js';
import type { Goal } from './goals.js';
import type { Postgres } from './postgres.js';
import type { Store } from './setting.js';

export interface BenchRun {
  readonly quick: boolean;
  /** The bench's own, empty at first and removed afterwards. */
  readonly folder: string;
  /** Absent where there is none to be had. */
  readonly postgres: Postgres | undefined;
  /** Done when the bench is over, however it ends, the last one first. */
  readonly undo: (() => Promise<unknown>)[];
}

/** Measures, prints what it measured, and tells which goals were reached. Throws where a server answered wrongly. */
export type Bench = (run: BenchRun) => Promise<Goal[]>;

/** An empty schema for one gateway; `undefined` without PostgreSQL. */
export async function freshSchema({ postgres, undo }: BenchRun): Promise<Store | undefined> {
  if (postgres === undefined) return undefined;
  const { config, drop } = await freshPostgres(postgres.url);
  undo.push(drop);
  return { DATABASE_URL: config.url ?? '' };
}

export function loadAverage(): string {
  return loadavg()
    .map((value) => value.toFixed(2))
    .join(' ');
}
