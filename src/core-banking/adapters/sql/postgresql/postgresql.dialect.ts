import type { Dialect } from '../dialect.js';
import { PostgresqlDatabase } from './postgresql.database.js';

export const postgresql: Dialect = {
  atMost: (select, rows) => `${select}\nLIMIT ${rows}`,
  first: (ordered) => `${ordered}\nLIMIT :limit`,
  byCodeUnit: (column) => `CAST(${column} AS text) COLLATE "C"`,
  unless: (condition) => `(${condition}) IS NOT TRUE`,
  open: (settings) => new PostgresqlDatabase(settings),
};
