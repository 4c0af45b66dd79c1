import { type Dialect, quoted } from '../dialect.js';
import { PostgresqlDatabase } from './postgresql.database.js';

export const postgresql: Dialect = {
  ping: 'SELECT 1',
  first: (select, rows) => `${select}\nLIMIT ${rows}`,
  byCodeUnit: (column) => `CAST(${column} AS text) COLLATE "C"`,
  unless: (condition) => `(${condition}) IS NOT TRUE`,
  literal: quoted,
  open: (settings) => new PostgresqlDatabase(settings),
};
