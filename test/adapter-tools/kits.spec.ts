import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreOf, kitOf } from '../../adapter-tools/kits.js';

describe('an adapter that is named by a path', () => {
  let folder: string;
  const at = (path: string): string => join(folder, path);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kits-'));
    for (const name of ['mine/dist', 'unbuilt', 'empty']) await mkdir(at(name), { recursive: true });
    await writeFile(at('mine/package.json'), '{"name":"my-core"}');
    await writeFile(at('mine/dist/my-core.adapter.js'), 'export const createAdapter = 1;');
    await writeFile(at('mine/dist/my-core.kit.js'), 'export const kit = { isMine: true };');
    await writeFile(at('mine/dist/alone.adapter.js'), '');
    await writeFile(at('mine/dist/faulty.adapter.js'), '');
    await writeFile(at('mine/dist/faulty.kit.js'), "import 'a-driver-that-is-not-installed';");
    await writeFile(at('mine/dist/blank.adapter.js'), '');
    await writeFile(at('mine/dist/blank.kit.js'), '');
    await writeFile(at('unbuilt/package.json'), '{"name":"my-core"}');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(['mine', 'mine/dist/my-core.adapter.js'])('has its module and its kit next to it: %s', async (path) => {
    expect(await coreOf(at(path))).toBe(at('mine/dist/my-core.adapter.js'));
    expect(await kitOf(at(path))).toEqual({ isMine: true });
  });

  it.each([
    ['nowhere', /nowhere does not exist$/],
    ['empty', /empty\/package.json cannot be read: ENOENT/],
    ['unbuilt', /there is no .*unbuilt\/dist\/my-core.adapter.js: run `npm install && npm run build` in .*unbuilt$/],
    ['mine/package.json', /package.json is not a module of an adapter: its name has to end in .adapter.js$/],
    ['mine/dist/alone.adapter.js', /there is no .*alone.kit.js: put the kit next to the adapter’s module$/],
    ['mine/dist/faulty.adapter.js', /faulty.kit.js cannot be loaded: .*a-driver-that-is-not-installed/],
    ['mine/dist/blank.adapter.js', /blank.kit.js exports no `kit`$/],
  ])('is refused in one sentence: %s', async (path, message) => {
    const fault: unknown = await kitOf(at(path)).catch((error: unknown) => error);
    expect(fault).toMatchObject({ name: 'CommandFailed', message: expect.stringMatching(message) });
    expect((fault as Error).message).not.toContain('\n');
  });
});
