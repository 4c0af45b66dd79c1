import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeCoreAdapter, type TestCore } from '../../packages/adapter-kit/adapter-kit.js';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { kit } from '../adapter-kit/database/database.kit.js';

await describeCoreAdapter('database', kit);

let core: TestCore;
beforeAll(async () => {
  core = await kit.core({});
});
afterAll(() => core.close());

it('a core whose database refuses every login is unavailable, and the database’s words do not leave the adapter', async () => {
  const variables = { ...core.variables, CORE_PASSWORD: 'wrong' };
  const adapter = await kit.create({ url: core.url, connections: 1, variables }, kitServices);
  const reading = adapter.health(AbortSignal.timeout(60_000));
  await expect(reading).rejects.toMatchObject({
    kind: 'unavailable',
    detail: 'the database cannot be reached (28P01)',
  });
  await adapter.close();
});
