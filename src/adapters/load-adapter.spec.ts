import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { portVersion } from '../../packages/core-adapter/port-version.js';
import { BootError } from '../config/boot-error.js';
import { createCoreAdapter } from './load-adapter.js';

const settings = { url: 'http://core', connections: 1, variables: { CORE_BRANCH: 'north' } };
const complete =
  "name: 'mine', pending: 'none', missing: {}, accounts() {}, account() {}, async health() {}, async close() {}";

const stated = `export const portVersion = '${portVersion}';`;
const noFunction =
  'exports no function createAdapter: export one that takes the core’s settings and the gateway’s services';

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
  const adapterOf = async (source: string) =>
    createCoreAdapter(await moduleOf(`${stated}\n${source}`), settings, kitServices);

  it('is made by the module’s createAdapter, with the core’s settings and the gateway’s services', async () => {
    const adapter = await adapterOf(`export const createAdapter = (...given) => ({ ${complete}, given });`);
    expect(adapter).toMatchObject({ name: 'mine', given: [settings, kitServices] });
  });

  it('that refuses a setting stops the boot in one line', async () => {
    const fault = `Object.assign(new Error('CORE_BRANCH must be absent'), { name: 'CoreSettingFault' })`;
    await expect(adapterOf(`export const createAdapter = () => { throw ${fault}; };`)).rejects.toThrow(
      /^settings of the core "\/.+\.mjs": CORE_BRANCH must be absent$/,
    );
  });

  it('may be made after a wait', async () => {
    expect(await adapterOf(`export async function createAdapter() { return { ${complete} }; }`)).toMatchObject({
      name: 'mine',
    });
  });

  it.each([
    ['export default class {}', noFunction],
    ['export const createAdapter = 1;', noFunction],
    ["import 'a-driver-that-is-not-installed';", /cannot be loaded: Cannot find package 'a-driver-that-is-not-inst.*/],
    ['export const = ;', /cannot be loaded: .+/],
    ["throw new RangeError('my password');", 'cannot be loaded: it threw RangeError'],
    ["throw 'my password';", 'cannot be loaded: it threw a value that is not an Error'],
    ['export const createAdapter = () => undefined;', 'createAdapter returned no adapter: it is not an object'],
    [
      "export const createAdapter = () => ({ name: '', pending: 'no', balances: 1, accounts() {}, close() {} });",
      'createAdapter returned no adapter: name is not a text, pending is not none, id-kept or id-changes, missing is not an object, ' +
        'account is not a function, health is not a function, balances is not a function',
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

  it.each([
    [
      '',
      "states no version of the port: add `export { portVersion } from 'account-information-core-adapter';` to its module",
    ],
    ["export const portVersion = '0.9.0';", /^was built with version 0.9.0 of the port, and the gateway has /],
  ])(
    'is refused in one line where it states another version of the port than the gateway’s: %s',
    async (version, reason) => {
      const path = await moduleOf(`${version}export const createAdapter = () => ({ ${complete} });`);
      const fault: unknown = await createCoreAdapter(path, settings, kitServices).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(BootError);
      expect((fault as BootError).message.replace(`CORE "${path}" `, '')).toEqual(
        typeof reason === 'string' ? reason : expect.stringMatching(reason),
      );
    },
  );

  it('that was built with a newer minor version of the port runs, and the gateway warns', async () => {
    const [major = 0, minor = 0] = portVersion.split('.').map(Number);
    const path = await moduleOf(
      `export const portVersion = '${major}.${minor + 1}.0'; export const createAdapter = () => ({ ${complete} });`,
    );
    const warnings: string[] = [];
    const logger = { ...kitServices.logger, warn: (_: object, message: string) => void warnings.push(message) };
    expect(await createCoreAdapter(path, settings, { ...kitServices, logger })).toMatchObject({ name: 'mine' });
    expect(warnings).toEqual([expect.stringMatching(/^the adapter was built with version .* and the gateway has /)]);
  });

  it('that is not there is refused by its path', async () => {
    const path = join(folder, 'nowhere.js');
    await expect(createCoreAdapter(path, settings, kitServices)).rejects.toThrow(
      new RegExp(`^CORE "${path}" cannot be loaded: Cannot find module '${path}'`),
    );
  });
});

describe('the adapter of a core in the registry', () => {
  it.each(['nonsense', 'toString', './my-core.js'])('is refused under a name that is not there: %s', async (name) => {
    await expect(createCoreAdapter(name, settings, kitServices)).rejects.toThrow(
      /^CORE "[\w./-]+" is not known: set it to one of ledger, fineract, sql, feed, or to the absolute path of an adapter’s module$/,
    );
  });

  it('that speaks HTTP is refused with a URL of another scheme', async () => {
    await expect(createCoreAdapter('ledger', { ...settings, url: 'mq://core:1414' }, kitServices)).rejects.toThrow(
      new BootError('settings of the core "ledger": CORE_URL must be an http or https URL, for ledger speaks HTTP'),
    );
  });

  it('may find settings of other programs among its own', async () => {
    const variables = { CORE_SERVICE_HOST: 'x', CORE_COLOUR: 'red' };
    const adapter = await createCoreAdapter('ledger', { ...settings, variables }, kitServices);
    expect(adapter.name).toBe('ledger');
    await adapter.close();
  });
});
