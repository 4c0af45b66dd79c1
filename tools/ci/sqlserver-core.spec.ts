import { join } from 'node:path';
import tedious from 'tedious';
import { describeCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import { adapterOf } from '../../src/core-banking/adapters/sql/sql.adapter.js';
import { readSqlSettings } from '../../src/core-banking/adapters/sql/sql.settings.js';
import { sqlserver } from '../../src/core-banking/adapters/sql/sqlserver/sqlserver.dialect.js';
import type { Tedious } from '../../src/core-banking/adapters/sql/sqlserver/sqlserver.driver.js';
import { sqlServerBefore } from '../../test/cores/sql/sql-server-before-postgres.js';
import { type Front, kitOfFile } from '../../test/cores/sql/sql.kit.js';

const front: Front = {
  create: (settings, { logger }) =>
    adapterOf(readSqlSettings(settings), sqlserver(tedious as unknown as Tedious), logger),
  open: async (url) => {
    const server = await sqlServerBefore(url);
    return { url: `sqlserver://127.0.0.1:${server.port}${url.pathname}`, close: () => server.end() };
  },
};

const file = (name: string): string => join(import.meta.dirname, '../../test/cores/sql', name);
await describeCoreAdapter('sql, over SQL Server’s protocol', kitOfFile(file('bank.yaml'), front));
