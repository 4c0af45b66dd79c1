import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeCoreAdapter, type TestCore } from '../../packages/adapter-kit/adapter-kit.js';
import { DatabaseAdapter } from '../adapter-kit/database/database.adapter.js';
import { kit } from '../adapter-kit/database/database.kit.js';

describeCoreAdapter('database', kit);

let core: TestCore;
beforeAll(async () => {
  core = await kit.core({});
});
afterAll(() => core.close());

it('a database that lets nobody in is unavailable, and its words stay there', async () => {
  const variables = { ...core.variables, CORE_PASSWORD: 'wrong' };
  const adapter = new DatabaseAdapter({ url: core.url, connections: 1, variables });
  const reading = adapter.health(AbortSignal.timeout(60_000));
  await expect(reading).rejects.toMatchObject({
    kind: 'unavailable',
    detail: 'the database cannot be reached (28P01)',
  });
  await adapter.close();
});
