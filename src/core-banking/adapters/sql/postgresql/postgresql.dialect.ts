import { type Dialect, quoted } from '../dialect.js';
import { PostgresqlDatabase } from './postgresql.database.js';

export const postgresql: Dialect = {
  ping: 'SELECT 1',
  atMost: (select, rows) => `${select}\nLIMIT ${rows}`,
  first: (ordered) => `${ordered}\nLIMIT :limit`,
  byCodeUnit: (column) => `CAST(${column} AS text) COLLATE "C"`,
  unless: (condition) => `(${condition}) IS NOT TRUE`,
  literal: quoted,
  shown: (column) => column,
  bound: (parameter, time) => ({ sql: parameter, value: time }),
  open: (settings) => new PostgresqlDatabase(settings),
};
