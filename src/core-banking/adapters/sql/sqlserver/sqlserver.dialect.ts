import { type Dialect, quoted } from '../dialect.js';
import { bound } from './sqlserver.cells.js';
import { SqlServerDatabase } from './sqlserver.database.js';
import type { Tedious } from './sqlserver.driver.js';

/** Microsoft SQL Server 2016 or later, by its driver. */
export const sqlserver = (driver: Tedious): Dialect => ({
  ping: 'SELECT 1',
  atMost: (select, rows) => select.replace(/^SELECT /, `SELECT TOP (${rows}) `),
  first: (ordered) => `${ordered}\nOFFSET 0 ROWS FETCH NEXT :limit ROWS ONLY`,
  byCodeUnit: (column) => `CAST(${column} AS nvarchar(4000)) COLLATE Latin1_General_BIN2`,
  unless: (condition) => `CASE WHEN ${condition} THEN 0 ELSE 1 END = 1`,
  literal: (code) => `N${quoted(code)}`,
  shown: (column) => column,
  bound,
  open: (settings) => new SqlServerDatabase(driver, settings),
});
