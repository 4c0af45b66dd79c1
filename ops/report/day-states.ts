import type { DuckDBConnection } from '@duckdb/node-api';
import type { MarkedDay } from '../trail/marked-days.js';
import { rowsOf } from './queries.js';

/** The days of the period that the trail does not cover as a whole, by time. */
export async function markedDays(connection: DuckDBConnection): Promise<MarkedDay[]> {
  const rows = await rowsOf(connection, `FROM days WHERE state <> 'complete' ORDER BY day`);
  return rows.map(({ day, state }) => ({ day: String(day), state: String(state) }));
}

/** Where the trail does not cover all of the time, an absent downtime is not proof of uptime. */
export function noDowntimeText(marked: readonly MarkedDay[]): string {
  return marked.length === 0 ? 'No downtime.' : 'No downtime is known, but the trail does not cover all of this time.';
}
