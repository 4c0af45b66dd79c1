import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { portVersion } from '../../packages/customer-authentication/port-version.js';
import { signOnHttp } from '../../packages/customer-authentication/sign-on-http.js';
import { BootError } from '../config/boot-error.js';
import { loadCustomerAuthentication } from './load-customer-authentication.js';

const settings = { url: 'https://sign-on.example', variables: { CUSTOMER_AUTHENTICATION_BRANCH: 'north' } };
const services = { ...kitServices, http: signOnHttp };
const complete = 'asksCredentials: true, async begin() {}, async continue() {}, async close() {}';

describe('an adapter of the sign-on outside the gateway', () => {
  let folder: string;
  let made = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outside-sign-on-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function moduleOf(source: string): Promise<string> {
    const path = join(folder, `adapter-${made++}.mjs`);
    await writeFile(path, source);
    return path;
  }
  const stated = (version: string): string => `export const portVersion = '${version}';\n`;
  const adapterOf = async (source: string) =>
    loadCustomerAuthentication(await moduleOf(stated(portVersion) + source), settings, services);
  const create = (made: string): string => `export const createCustomerAuthentication = ${made};`;

  it('is made by the module’s createCustomerAuthentication, with its settings and the gateway’s services', async () => {
    const adapter = await adapterOf(create(`async (...given) => ({ ${complete}, given })`));
    expect(adapter).toMatchObject({ asksCredentials: true, given: [settings, services] });
  });

  it('that refuses a setting stops the boot in one line', async () => {
    const fault = `Object.assign(new Error('CUSTOMER_AUTHENTICATION_BRANCH must be absent'), { name: 'SignOnSettingFault' })`;
    await expect(adapterOf(create(`() => { throw ${fault}; }`))).rejects.toThrow(
      /^settings of the customer authentication "\/.+\.mjs": CUSTOMER_AUTHENTICATION_BRANCH must be absent$/,
    );
  });

  it.each([
    ['export default class {}', /exports no function createCustomerAuthentication/],
    ["import 'a-driver-that-is-not-installed';", /cannot be loaded: Cannot find package/],
    ["throw new RangeError('my password');", /cannot be loaded: it threw RangeError$/],
    [create('() => undefined'), /returned no adapter: it is not an object$/],
    [
      create('() => ({ begin() {} })'),
      /returned no adapter: asksCredentials is neither true nor false, continue is not a function, close is not a function$/,
    ],
  ])('is refused in one line: %s', async (source, reason) => {
    const fault: unknown = await adapterOf(source).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(BootError);
    expect((fault as BootError).message).toMatch(/^CUSTOMER_AUTHENTICATION "\/.+\.mjs"/);
    expect((fault as BootError).message).toMatch(reason);
    expect((fault as BootError).message).not.toMatch(/\n|my password/);
  });

  it.each([
    [
      '',
      "states no version of the port: add `export { portVersion } from 'account-information-core-adapter/sign-on';` to its module",
    ],
    [
      stated('0.9.0'),
      `was built with version 0.9.0 of the port, and the gateway has ${portVersion}: build it with version 1`,
    ],
  ])(
    'is refused in one line where it states another version of the port than the gateway’s: %s',
    async (version, reason) => {
      const path = await moduleOf(version + create(`() => ({ ${complete} })`));
      await expect(loadCustomerAuthentication(path, settings, services)).rejects.toThrow(
        new BootError(`CUSTOMER_AUTHENTICATION "${path}" ${reason}`),
      );
    },
  );

  it('that was built with a newer minor version of the port runs, and the gateway warns', async () => {
    const [major = 0, minor = 0] = portVersion.split('.').map(Number);
    const path = await moduleOf(stated(`${major}.${minor + 1}.0`) + create(`() => ({ ${complete} })`));
    const warnings: string[] = [];
    const logger = { ...services.logger, warn: (_: object, message: string) => void warnings.push(message) };
    expect(await loadCustomerAuthentication(path, settings, { ...services, logger })).toMatchObject({
      asksCredentials: true,
    });
    expect(warnings).toEqual([expect.stringMatching(/^the adapter was built with version .* and the gateway has /)]);
  });
});

describe('the adapter of the sign-on in the registry', () => {
  it.each(['nonsense', 'toString', './my-sign-on.js'])(
    'is refused under a name that is not there: %s',
    async (name) => {
      await expect(loadCustomerAuthentication(name, settings, services)).rejects.toThrow(
        /^CUSTOMER_AUTHENTICATION "[\w./-]+" is not known: set it to one of http, oidc, or to the absolute path of an adapter’s module$/,
      );
    },
  );

  it.each([
    ['http', /CUSTOMER_AUTHENTICATION_CREDENTIAL must be set/],
    ['oidc', /CUSTOMER_AUTHENTICATION_CLIENT_ID must be set/],
  ])('%s is refused without its own settings', async (name, reason) => {
    await expect(loadCustomerAuthentication(name, settings, services)).rejects.toThrow(reason);
  });
});
