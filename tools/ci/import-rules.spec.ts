import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ICruiseResult, IConfiguration } from 'dependency-cruiser';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const config = join(root, '.dependency-cruiser.cjs');

/** For each rule a file, and the import in it that the rule forbids. That the project passes shows what they allow. */
const broken: Readonly<Record<string, readonly [file: string, imports: string]>> = {
  'open-banking-is-pure': ['src/open-banking/a.ts', '../clock/clock.js'],
  'port-knows-itself-only': ['packages/core-adapter/a.ts', '../../src/open-banking/money.js'],
  'sign-on-port-knows-the-ports-only': ['packages/customer-authentication/a.ts', '../../src/open-banking/money.js'],
  'core-port-is-a-package': ['packages/core-adapter/c.ts', '@nestjs/common'],
  'core-banking-knows-the-port-only': ['src/core-banking/a.ts', '../open-banking/money.js'],
  'adapter-knows-the-port-only': ['src/core-banking/adapters/ledger/a.ts', '../../../open-banking/money.js'],
  'record-mapping-knows-the-port-only': [
    'src/core-banking/record-mapping/a.ts',
    '../adapters/ledger/ledger.adapter.js',
  ],
  'sign-on-adapter-knows-its-port-only': [
    'src/customer-authentication/adapters/http/a.ts',
    '../../../../packages/core-adapter/core.records.js',
  ],
  'adapter-is-chosen-by-the-registry': ['src/consents/a.ts', '../core-banking/adapters/ledger/ledger.adapter.js'],
  'kit-knows-the-port-only': ['packages/adapter-kit/a.ts', '../../src/open-banking/money.js'],
  'kit-is-no-part-of-the-gateway': ['src/server/k.ts', '../../packages/adapter-kit/adapter-kit.js'],
  'tools-stand-above-all': ['test/cores/ledger/a.ts', '../../../adapter-tools/preview.js'],
  'ops-stands-above-all': ['src/bank-facing/e.ts', '../../ops/bank.client.js'],
  'ops-works-without-the-wiring': ['ops/a.ts', '../src/boot/gateway.js'],
  'questions-know-the-trail': ['ops/trail/a.ts', '../../src/consents/consent.js'],
  'resource-stands-alone': ['src/resources/party/a.ts', '../offers/offers.mapper.js'],
  'request-knows-no-room-above-it': ['src/request/a.ts', '../endpoint/envelope.js'],
  'endpoint-knows-no-endpoint': ['src/endpoint/a.ts', '../resources/endpoints.js'],
  'version-is-data': ['src/versions/a.ts', '../server/server.js'],
  'resource-without-check-or-store': ['src/resources/party/e.ts', '../../consents/consent.store.js'],
  'prisma-stays-in-stores': ['src/quotas/driver.ts', 'pg'],
  'http-libraries-in-one-place': ['src/server/a.ts', 'axios'],
  'http-service-in-clients-and-wiring': ['src/server/x.ts', '@nestjs/axios'],
  'outgoing-knows-no-other-room': ['src/outgoing/x.ts', '../server/server.js'],
  'pages-are-pure': ['src/authorisation-server/pages/a.ts', '../../consents/consent.store.js'],
  'config-knows-no-room-above-it': ['src/config/a.ts', '../persistence/cached-rows.js'],
  'persistence-knows-no-room-above-it': ['src/persistence/a.ts', '../consents/consent.store.js'],
  'observability-knows-no-room-above-it': ['src/observability/a.ts', '../server/server.js'],
  'trail-knows-no-room-above-it': ['src/trail/a.ts', '../server/server.js'],
  'profiles-knows-no-room-above-it': ['src/profiles/a.ts', '../server/server.js'],
  'security-knows-no-room-above-it': ['src/security/b.ts', '../consents/consent.js'],
  'consents-knows-no-room-above-it': ['src/consents/i.ts', '../server/server.js'],
  'sca-knows-no-room-above-it': ['src/sca/a.ts', '../server/server.js'],
  'outages-knows-no-room-above-it': ['src/outages/a.ts', '../bank-facing/readiness.js'],
  'quotas-knows-no-room-above-it': ['src/quotas/a.ts', '../server/server.js'],
  'server-knows-no-room-above-it': ['src/server/p.ts', '../command-line/command.js'],
  'events-knows-no-room-above-it': ['src/events/a.ts', '../bank-facing/readiness.js'],
  'openapi-knows-no-room-above-it': ['src/openapi/a.ts', '../boot/gateway.js'],
  'authorisation-server-knows-no-room-above-it': ['src/authorisation-server/a.ts', '../bank-facing/readiness.js'],
  'bank-facing-knows-no-room-above-it': ['src/bank-facing/a.ts', '../boot/gateway.js'],
  'adapters-knows-no-room-above-it': ['src/adapters/a.ts', '../boot/gateway.js'],
  'command-line-knows-no-room-above-it': ['src/command-line/a.ts', '../boot/gateway.js'],
  'build-tools-stand-above-all': ['src/boot/a.ts', '../../tools/build/declared-document.js'],
  'listeners-knows-no-room-above-it': ['src/authorisation-server/listeners/a.ts', '../tpps/tpp.store.js'],
  'tpps-knows-no-room-above-it': ['src/authorisation-server/tpps/a.ts', '../oidc/provider.js'],
  'oidc-knows-no-room-above-it': ['src/authorisation-server/oidc/a.ts', '../sign-in/journey.store.js'],
  'sign-in-knows-no-room-above-it': ['src/authorisation-server/sign-in/a.ts', '../journey/journey.routes.js'],
  'journey-knows-no-room-above-it': ['src/authorisation-server/journey/a.ts', '../dashboard/dashboard.policy.js'],
  'dashboard-knows-no-room-above-it': ['src/authorisation-server/dashboard/a.ts', '../authorisation-server.js'],
  'authorisation-server-is-loaded-when-it-is-switched-on': ['src/consents/g.ts', '../authorisation-server/sealing.js'],
  'tracing-is-loaded-when-it-is-switched-on': ['src/server/traced.ts', '../observability/otel-tracing.js'],
  'product-without-sandbox-or-test': ['src/server/c.ts', '../../sandbox/personas.js'],
  'sandbox-from-outside': ['sandbox/a.ts', '../src/config/config.js'],
  'sandbox-front-knows-no-other': ['sandbox/console/a.ts', '../cli/program.js'],
  'sandbox-actions-without-front': ['sandbox/actions/a.ts', '../cli/program.js'],
  'production-dependencies-only': ['src/server/d.ts', 'fast-check'],
  'declared-dependencies-only': ['src/server/e.ts', 'undeclared'],
  resolvable: ['src/server/g.ts', './nowhere.js'],
  'no-cycles': ['src/server/cycle-a.ts', './cycle-b.js'],
};

describe('the import rules', () => {
  /** By the command of `npm run check`, in a separate process: in Jest's it takes four times as long. */
  async function violations(folder: string): Promise<string[]> {
    const command = join(import.meta.dirname, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const folders = ['src', 'packages', 'adapter-tools', 'ops', 'sandbox', 'test', 'tools/build'];
    const argv = [command, '--config', config, '--output-type', 'json', ...folders];
    // It ends with a code other than 0 where a rule is broken; where it fails it prints no JSON.
    const printed = await new Promise<string>((resolve) =>
      execFile(process.execPath, argv, { cwd: folder, maxBuffer: 2 ** 26 }, (_error, stdout) => resolve(stdout)),
    );
    const { summary } = JSON.parse(printed) as ICruiseResult;
    return summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
  }

  let tree: string;
  let found: string[];

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }

  beforeAll(async () => {
    tree = await mkdtemp(join(tmpdir(), 'import-rules-'));
    await write('package.json', JSON.stringify({ type: 'module', devDependencies: { 'fast-check': '*' } }));
    await write('tsconfig.json', JSON.stringify({ extends: join(root, 'tsconfig.json') }));
    for (const folder of ['src', 'packages', 'adapter-tools', 'ops', 'sandbox', 'test', 'tools/build'])
      await mkdir(join(tree, folder), { recursive: true });
    for (const [file, target] of Object.values(broken)) {
      const isPackage = !target.startsWith('.');
      const path = isPackage ? `node_modules/${target}/index.js` : join(dirname(file), target.replace(/js$/, 'ts'));
      if (isPackage)
        await write(`node_modules/${target}/package.json`, JSON.stringify({ type: 'module', exports: './index.js' }));
      if (!target.includes('nowhere')) await write(path, 'export {};\n');
    }
    for (const [file, target] of Object.values(broken)) await write(file, `import '${target}';\n`);
    await write('src/server/cycle-b.ts', "import './cycle-a.js';\n");
    found = await violations(tree);
  });
  afterAll(() => rm(tree, { recursive: true }));

  it('all have a file here that breaks them', () => {
    const { forbidden } = createRequire(import.meta.url)(config) as IConfiguration;
    expect(Object.keys(broken)).toEqual(forbidden?.map(({ name }) => name));
  });

  it.each(Object.entries(broken).map(([rule, of]) => [rule, ...of]))('%s refuses in %s: %s', (rule, file) => {
    expect(found).toContain(`${rule}: ${file}`);
  });

  it('are kept by the project', async () => {
    expect(await violations(root)).toEqual([]);
  });
});
