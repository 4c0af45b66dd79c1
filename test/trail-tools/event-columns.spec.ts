import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { eventColumns } from '../../ops/trail/event-columns.js';
import { observabilityFolder } from '../support/observability-files.js';

it('ClickHouse has the columns by which the tools of the trail search', () => {
  const schema = readFileSync(join(observabilityFolder, 'clickhouse', 'schema.sql'), 'utf8');
  const [, table = ''] = /trail[.]events\n\(\n(.*?)\n {4}INDEX/s.exec(schema) ?? [];
  const columns = [...table.matchAll(/^ {4}(\w+) /gm)].map(([, name]) => name);
  const searched = [...eventColumns.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  expect(columns.filter((name) => name !== 'line').sort()).toEqual(searched.filter((name) => name !== 'rest').sort());
});
