import { type Dialect, quoted } from '../dialect.js';
import { bound, shown } from './oracle.cells.js';
import { OracleDatabase } from './oracle.database.js';
import type { OracleDriver } from './oracle.driver.js';

/** Oracle Database 12.2 or later, by its driver without Oracle's client libraries. */
export const oracle = (driver: OracleDriver): Dialect => ({
  ping: 'SELECT 1 FROM dual',
  // Databases before 23 rank all rows for FETCH FIRST.
  atMost: (select, rows) => `SELECT * FROM (\n${select}\n) WHERE ROWNUM <= ${rows}`,
  first: (ordered) => `SELECT * FROM (\n${ordered}\n) WHERE ROWNUM <= :limit`,
  // The session compares texts by their bytes.
  byCodeUnit: (column) => `TO_CHAR(${column})`,
  unless: (condition) => `CASE WHEN ${condition} THEN 0 ELSE 1 END = 1`,
  literal: quoted,
  shown,
  bound,
  open: (settings) => new OracleDatabase(driver, settings),
});
