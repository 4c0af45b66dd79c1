import { loadavg } from 'node:os';
import { freshPostgres } from '../support/fresh-database.js';
import type { Goal } from './goals.js';
import type { Postgres } from './postgres.js';
import type { Store } from './setting.js';

export interface BenchRun {
  readonly quick: boolean;
  /** A temporary folder of the bench, removed at its end. */
  readonly folder: string;
  /** `undefined` without PostgreSQL. */
  readonly postgres: Postgres | undefined;
  /** Run when the bench ends for any reason, the last one first. */
  readonly undo: (() => Promise<unknown>)[];
}

/** Measures, prints the figures, and returns the goals with their results. Throws when a server answers wrongly. */
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
