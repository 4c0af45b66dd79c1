import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { edgeOf, history, type Subject } from '../../packages/adapter-kit/reads.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes of live objects. Two collections: the objects that the first frees may have held others. */
function live(): number {
  for (let time = 0; time < 2; time++) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

type CustomersAccount = Pick<Subject, 'customerRef' | 'accountRef'>;

/** Reads the whole history in pages of 1,000. @returns how many rows it has, and by how many bytes live memory grew at most */
export async function memoryOfHistory(
  adapter: CoreAdapter,
  place: CustomersAccount,
): Promise<{ rows: number; grown: number }> {
  // The first pass loads and compiles code, and is not counted.
  await readAll(adapter, place, () => {});
  const before = live();
  let grown = 0;
  const rows = await readAll(adapter, place, (page) => {
    if (page % 10 === 0) grown = Math.max(grown, live() - before);
  });
  return { rows, grown: Math.max(grown, live() - before) };
}

async function readAll(
  adapter: CoreAdapter,
  place: CustomersAccount,
  afterPage: (page: number) => void,
): Promise<number> {
  let rows = 0;
  for (let page = 1, position = undefined as ReturnType<typeof edgeOf>; ; page++) {
    const found = await history(adapter, place, { read: 'older', limit: 1_000, position });
    rows += found.items.length;
    position = edgeOf(found, 'older');
    if (!found.more) return rows;
    afterPage(page);
  }
}
