// Nightly: it builds a separate repository of a bank, which takes minutes.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { clausesOf } from '../../packages/adapter-kit/adapter-kit.js';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { profile as profile2 } from '../../src/profiles/profile-2.js';
import { profile as profileFineract } from '../../src/profiles/profile-fineract.js';
import { addLedger, ownRepository } from '../adapter-tools/own-repository.js';
import { runNode } from '../adapter-tools/temporary-tree.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { GatewayClient } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';

/** An adapter that can do almost nothing, and its description for the kit. */
const nobody = `
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CoreError, type CoreAdapter, type CoreContext, type CoreSettings, CoreSettingFault } from 'account-information-core-adapter';
export { portVersion } from 'account-information-core-adapter';
import type { AdapterUnderTest } from 'account-information-core-adapter/kit';

class NobodyAdapter implements CoreAdapter {
  readonly name = 'nobody';
  readonly pending = 'none';
  readonly missing = {};
  async accounts(_: CoreContext) { return { items: [], bad: [] }; }
  async account(): Promise<never> { throw new CoreError('account-not-found', 'nobody banks here'); }
  async health(): Promise<void> {}
  async close(): Promise<void> {}
}

export const createAdapter = ({ variables }: CoreSettings): CoreAdapter => {
  if (variables.CORE_BRANCH !== undefined) throw new CoreSettingFault('CORE_BRANCH', 'must be absent: nobody has one');
  return new NobodyAdapter();
};

export const kit: AdapterUnderTest = {
  core: async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const close = async (): Promise<void> => { server.close(); await once(server, 'close'); };
    return { url: 'http://127.0.0.1:' + (server.address() as AddressInfo).port, close };
  },
  create: createAdapter,
  personas: () => [],
  truth: () => { throw new Error('nobody'); },
  without: { 'CORE-01': 'it has no settings of its own' },
};
`;
/** A transport instead of HTTP: a line with a path, and a line with the status and the JSON. */
const linesClient = `
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { CoreError, type CoreContext, type CoreHttp, type CoreSettings } from 'account-information-core-adapter';

export class LedgerClient {
  constructor(private readonly settings: CoreSettings, _: CoreHttp) {}

  async read(path: string, { signal }: Pick<CoreContext, 'signal'>): Promise<unknown> {
    const { hostname, port } = new URL(this.settings.url);
    let answer: string;
    try {
      const socket = createConnection({ host: hostname, port: Number(port), signal });
      socket.write(path + '\\n');
      answer = await text(socket);
    } catch {
      throw signal.aborted ? new CoreError('timeout', 'too late') : new CoreError('unavailable', 'no connection');
    }
    const [status, json = ''] = answer.split('\\n');
    if (status === '200') return JSON.parse(json);
    throw new CoreError(status === '404' ? 'account-not-found' : 'bad-record', 'the core answered ' + status);
  }

  close(): Promise<void> { return Promise.resolve(); }
}
`;
const jestSpec = `
import { describeCoreAdapter } from 'account-information-core-adapter/kit';
import { kit } from '../dist/nobody.adapter.js';
await describeCoreAdapter('nobody', kit);
`;
describe('an adapter in a separate repository', () => {
  const original = packageRoot();
  const inProject = (path: string): string => join(original, path);
  let parent: string;
  let repository: string;
  const inRepository = (path: string): string => join(repository, path);
  const compile = () => runNode(repository, [inProject('node_modules/typescript/bin/tsc')]);
  let said: string;

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'own-repository-'));
    repository = join(parent, 'my-core');
    said = await ownRepository('my-core', repository);
    await writeFile(inRepository('src/nobody.adapter.ts'), nobody);
    await writeFile(inRepository('src/nobody.kit.ts'), "export { kit } from './nobody.adapter.js';\n");
    await addLedger(repository, 'ledger');
    // The same files again, with another transport.
    await addLedger(repository, 'lines');
    await writeFile(inRepository('src/lines/ledger.client.ts'), linesClient);
    expect(await compile()).toEqual({ code: 0, said: '' });
  }, 5 * patienceMs);
  afterAll(() => rm(parent, { recursive: true }));

  it('is written by a tool that names the next steps', () => {
    expect(said).toMatch(/my-core\/src\/my-core[.]adapter[.]ts\n/);
    expect(said).toMatch(/\nNow: cd \/.*\/my-core && npm install && npm run check\n$/);
  });

  it('imports the port once in each file', async () => {
    for (const file of ['adapter', 'client', 'records', 'kit']) {
      const text = await readFile(inRepository(`src/my-core.${file}.ts`), 'utf8');
      expect(text.match(/ from 'account-information-core-adapter(\/kit)?';/g)).toHaveLength(1);
    }
  });

  it('demands the Node that the package needs, and has npm refuse an older one', async () => {
    const manifestOf = async (path: string) =>
      JSON.parse(await readFile(path, 'utf8')) as { readonly engines: Readonly<Record<string, string>> };
    const { engines } = await manifestOf(inRepository('node_modules/account-information-core-adapter/package.json'));
    expect(engines).toEqual((await manifestOf(inProject('package.json'))).engines);
    expect(await readFile(inRepository('.npmrc'), 'utf8')).toBe('engine-strict=true\n');
  });

  it('has the list of the port’s changes and the types in the package', async () => {
    const inPackage = (path: string) =>
      readFile(inRepository(`node_modules/account-information-core-adapter/${path}`), 'utf8');
    expect(await inPackage('core-adapter/CHANGELOG.md')).toContain('# Changelog of the ports');
    expect(await inPackage('core-adapter/published-port.d.ts')).toContain("export * from './core.records.js';");
  });

  it('does not overwrite files that exist', async () => {
    const words = ['dist/adapter-tools/main.js', 'new', 'my-core', '--into', repository];
    expect(await runNode(original, words)).toEqual({ code: 1, said: `adapter: ${repository} exists already\n` });
  });

  it(
    'is checked clause by clause',
    async () => {
      const { code, said: lines } = await runNode(repository, ['dist/check.js']);
      expect(code).toBe(1);
      expect(lines).toContain('balances is not served: `missing` has to say why');
      expect(lines.match(/^[✓✗–] CORE-\d\d/gm)).toHaveLength(clausesOf('http').length);
    },
    patienceMs,
  );

  const tool = (...words: string[]) => runNode(original, ['dist/adapter-tools/main.js', ...words]);

  it(
    'is checked by the gateway’s tools under the path of its module',
    async () => {
      const checked = await tool('check', inRepository('dist/nobody.adapter.js'));
      expect(checked.code).toBe(1);
      expect(checked.said).toMatch(/^adapter: .*nobody.adapter.js does not keep \d\d clauses\n/m);
    },
    2 * patienceMs,
  );

  it(
    'is found by the path of its folder, and refused in a sentence where its kit is not there',
    async () => {
      expect(await tool('check', repository)).toMatchObject({
        code: 1,
        said: expect.stringContaining('adapter: ' + repository),
      });
      const alone = inRepository('dist/ledger/ledger.adapter.js');
      expect(await tool('check', alone)).toEqual({
        code: 1,
        said: `adapter: there is no ${alone.replace('adapter.js', 'kit.js')}: put the kit next to the adapter’s module\n`,
      });
    },
    2 * patienceMs,
  );

  it(
    'is tested by the kit in a Jest test',
    async () => {
      await mkdir(inRepository('test'));
      await writeFile(inRepository('test/adapter.test.js'), jestSpec);
      const { code, said: lines } = await runNode(repository, [
        '--experimental-vm-modules',
        inProject('node_modules/jest/bin/jest.js'),
        '--rootDir',
        repository,
        '--config',
        '{"transform":{}}',
        '--verbose',
      ]);
      expect(code).toBe(1);
      expect(lines).toMatch(/✓ CORE-07 a customer whom the core does not know has no accounts/);
      expect(lines).toMatch(/✕ CORE-54 health distinguishes a core that is up from one that is down/);
      expect(lines).toMatch(/skipped CORE-01 .*: it has no settings of its own/);
      expect(lines).toContain('health, connection refused: answered where it has to throw a CoreError');
      expect(lines).toContain(`${clausesOf('http').length} total`);
    },
    5 * patienceMs,
  );

  describe('is named by CORE', () => {
    let bank: SandboxBank;
    const clientOf = (to: GatewayProcess) => new GatewayClient(to, bank);
    let database: FreshDatabase;
    beforeEach(async () => {
      [bank, database] = await Promise.all([startBank(), freshDatabase()]);
    }, patienceMs);
    afterEach(async () => {
      await bank.close();
      await database.drop();
    });
    const start = async (file: string, settings: NodeJS.ProcessEnv = {}) =>
      GatewayProcess.start(
        environmentOf(bank, await freePorts(), {
          DATABASE_URL: database.config.url,
          CORE: inRepository(`dist/${file}`),
          ...settings,
        }),
      );

    it.each([
      [{ CORE_BRANCH: 'north' }, /^gateway: settings of the core "\/.*nobody.adapter.js": CORE_BRANCH must be absent/],
      [{}, /^gateway: PROFILE profile-2 promises .*, which the core "nobody" cannot serve/],
    ])(
      'is refused in one line where it cannot serve: %j',
      async (settings, line) => {
        const refused: Error = await start('nobody.adapter.js', settings).then(
          () => new Error('it started'),
          (error: unknown) => error as Error,
        );
        const [, fault = ''] = /: (gateway: .*)\n$/s.exec(refused.message) ?? [];
        expect(fault).toMatch(line);
        expect(fault).not.toContain('\n');
      },
      patienceMs,
    );

    it.each<[string, string, () => Promise<{ settings: NodeJS.ProcessEnv; stop: () => Promise<void> }>]>([
      ['over HTTP', 'ledger', () => Promise.resolve({ settings: {}, stop: () => bank.close() })],
      [
        'over another protocol',
        'lines',
        async () => {
          const { url, close } = await startLines(bank.coreUrl);
          return { settings: { CORE_URL: url }, stop: close };
        },
      ],
    ])(
      'reads its core %s for the gateway, which recognises its errors',
      async (_, folder, reach) => {
        const { settings, stop } = await reach();
        const gateway = await start(`${folder}/ledger.adapter.js`, settings);
        try {
          const consent = await clientOf(gateway).give();
          expect(await clientOf(gateway).read(consent)).toBe(200);
          await stop();
          // Its CoreError is another class than the gateway's. The gateway answers an unknown error with 500.
          expect(await clientOf(gateway).read(consent)).toBe(503);
        } finally {
          await gateway.kill();
          await stop();
        }
      },
      2 * patienceMs,
    );

    it(
      'runs with a bank’s profile, which promises no more than its core has',
      async () => {
        const profile = inRepository('profile.json');
        // The core has more products than the profile shows. The gateway derives the endpoints from the products.
        const { endpoints: _, products, ...data } = profileFineract;
        const hidden = Object.entries(profile2.products).map(([name, product]) => [
          name,
          { ...product, endpoints: [] },
        ]);
        const all = { ...Object.fromEntries(hidden), ...products };
        await writeFile(profile, JSON.stringify({ ...data, products: all, name: 'my-bank' }));
        const gateway = await start('ledger/ledger.adapter.js', { PROFILE: profile });
        try {
          const consent = await clientOf(gateway).give();
          const read = (path: string) =>
            fetch(`http://127.0.0.1:${gateway.ports.port}${path}`, {
              headers: { authorization: `Bearer ${consent.token}` },
            });
          const { refusedPermissions: RefusedPermissions } = profileFineract;
          expect(await (await read('/.well-known/account-information')).json()).toMatchObject({
            Profile: 'my-bank',
            RefusedPermissions,
          });
          expect(await clientOf(gateway).read(consent)).toBe(200);
          expect((await read(`${v3_1.basePath}/accounts/any/offers`)).status).toBe(404);
        } finally {
          await gateway.kill();
        }
      },
      2 * patienceMs,
    );
  });
});

/** The core behind the protocol of `linesClient`. */
async function startLines(coreUrl: string): Promise<{ url: string; close: () => Promise<void> }> {
  const answerTo = async (path: string): Promise<string> => {
    const answer = await fetch(coreUrl + path);
    return `${answer.status}\n${await answer.text()}`;
  };
  const server = createServer((socket) => {
    // The adapter learns this from the end of the connection.
    socket.on('error', () => {});
    createInterface(socket)
      .on('error', () => {})
      .on('line', (path) => {
        void answerTo(path).then(
          (said) => socket.end(said),
          () => socket.destroy(),
        );
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `lines://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}
