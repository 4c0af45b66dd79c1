import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BootError } from './config/boot-error.js';
import { outsideAdapter } from './outside-adapter.js';

const settings = { url: 'http://core', connections: 1, variables: { CORE_BRANCH: 'north' } };
const whole =
  "name: 'mine', pending: 'none', missing: {}, accounts() {}, account() {}, async health() {}, async close() {}";

describe('an adapter outside the gateway', () => {
  let folder: string;
  let made = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outside-adapter-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const moduleOf = async (source: string): Promise<string> => {
    const path = join(folder, `adapter-${made++}.mjs`);
    await writeFile(path, source);
    return path;
  };
  const adapterOf = async (source: string) => (await outsideAdapter(await moduleOf(source)))(settings);

  it('is made by the module’s createAdapter, of the core’s settings', async () => {
    const adapter = await adapterOf(`export const createAdapter = ({ variables }) => ({ ${whole}, variables });`);
    expect(adapter).toMatchObject({ name: 'mine', variables: { CORE_BRANCH: 'north' } });
  });

  it('may be made after a wait', async () => {
    expect(await adapterOf(`export async function createAdapter() { return { ${whole} }; }`)).toMatchObject({
      name: 'mine',
    });
  });

  it.each([
    ['export default class {}', 'exports no function createAdapter: export one that takes the core’s settings'],
    ['export const createAdapter = 1;', 'exports no function createAdapter: export one that takes the core’s settings'],
    ["import 'a-driver-that-nobody-installed';", /cannot be loaded: Cannot find package 'a-driver-that-nobody-inst.*/],
    ['export const = ;', /cannot be loaded: .+/],
    ["throw new RangeError('my password');", 'cannot be loaded: it threw RangeError'],
    ["throw 'my password';", 'cannot be loaded: it threw something that is no error'],
    ['export const createAdapter = () => undefined;', 'createAdapter made no adapter: it is no object'],
    [
      "export const createAdapter = () => ({ name: '', pending: 'no', balances: 1, accounts() {}, close() {} });",
      'createAdapter made no adapter: name is no text, pending is none of its words, missing is no object, ' +
        'account is no function, health is no function, balances is no function',
    ],
  ])('is refused in one line: %s', async (source, reason) => {
    const fault: unknown = await adapterOf(source).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(BootError);
    const { message } = fault as BootError;
    expect(message).toMatch(/^CORE "\/.+\.mjs"/);
    expect(message).not.toMatch(/\n|my password/);
    expect(message.replace(/^CORE "[^"]+":? /, '')).toEqual(
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    );
  });

  it('that is not there is refused by its path', async () => {
    const path = join(folder, 'nowhere.js');
    await expect(outsideAdapter(path)).rejects.toThrow(
      new RegExp(`^CORE "${path}" cannot be loaded: Cannot find module '${path}'`),
    );
  });
});
