import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ICruiseResult, IConfiguration } from 'dependency-cruiser';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** One file that imports what its rule forbids, and one that comes as near as is allowed. */
interface Fixture {
  readonly breaks: readonly [file: string, imports: string];
  readonly keeps: readonly [file: string, imports: string];
}

const root = join(import.meta.dirname, '../..');
const config = join(root, '.dependency-cruiser.cjs');

const fixtures: Readonly<Record<string, readonly Fixture[]>> = {
  'open-banking-is-pure': [
    { breaks: ['src/open-banking/a.ts', '../clock/clock.js'], keeps: ['src/open-banking/b.ts', './money.js'] },
    { breaks: ['src/open-banking/c.ts', '@nestjs/common'], keeps: ['src/open-banking/d.ts', 'typebox'] },
    {
      breaks: ['src/open-banking/e.ts', '../../packages/core-adapter/core.records.js'],
      keeps: ['src/open-banking/f.ts', '../../packages/core-adapter/currencies.js'],
    },
  ],
  'port-knows-itself-only': [
    {
      breaks: ['packages/core-adapter/a.ts', '../../src/open-banking/money.js'],
      keeps: ['packages/core-adapter/b.ts', './core.records.js'],
    },
  ],
  'sign-on-port-knows-the-ports-only': [
    {
      breaks: ['packages/customer-authentication/a.ts', '../../src/open-banking/money.js'],
      keeps: ['packages/customer-authentication/b.ts', '../core-adapter/core.records.js'],
    },
  ],
  'core-port-is-a-package': [
    { breaks: ['packages/core-adapter/c.ts', '@nestjs/common'], keeps: ['packages/core-adapter/d.ts', 'node:http'] },
    {
      breaks: ['packages/customer-authentication/c.ts', '@nestjs/common'],
      keeps: ['packages/customer-authentication/d.ts', 'node:http'],
    },
  ],
  'core-banking-knows-the-port-only': [
    {
      breaks: ['src/core-banking/a.ts', '../open-banking/money.js'],
      keeps: ['src/core-banking/b.ts', '../../packages/core-adapter/core.records.js'],
    },
  ],
  'adapter-knows-the-port-only': [
    {
      breaks: ['src/core-banking/adapters/ledger/a.ts', '../../../open-banking/money.js'],
      keeps: ['src/core-banking/adapters/ledger/b.ts', '../../../../packages/core-adapter/core.records.js'],
    },
    {
      breaks: ['src/core-banking/adapters/ledger/c.ts', '../other/other.adapter.js'],
      keeps: ['src/core-banking/adapters/ledger/d.ts', './ledger.adapter.js'],
    },
    {
      breaks: ['src/core-banking/adapters/ledger/mapping-a.ts', '../../core-banking.js'],
      keeps: ['src/core-banking/adapters/ledger/mapping-b.ts', '../../record-mapping/mapping.js'],
    },
  ],
  'record-mapping-knows-the-port-only': [
    {
      breaks: ['src/core-banking/record-mapping/a.ts', '../adapters/ledger/ledger.adapter.js'],
      keeps: ['src/core-banking/record-mapping/b.ts', '../../../packages/core-adapter/core.records.js'],
    },
  ],
  'sign-on-adapter-knows-its-port-only': [
    {
      breaks: ['src/customer-authentication/adapters/http/a.ts', '../../../../packages/core-adapter/core.records.js'],
      keeps: [
        'src/customer-authentication/adapters/http/b.ts',
        '../../../../packages/customer-authentication/customer-authentication.js',
      ],
    },
  ],
  'adapter-is-chosen-by-the-registry': [
    {
      breaks: ['src/consents/a.ts', '../core-banking/adapters/ledger/ledger.adapter.js'],
      keeps: ['src/core-banking/adapters/registry.ts', './ledger/ledger.adapter.js'],
    },
    {
      breaks: ['src/consents/f.ts', '../customer-authentication/adapters/http/http.adapter.js'],
      keeps: ['src/customer-authentication/adapters/registry.ts', './http/http.adapter.js'],
    },
  ],
  'kit-knows-the-port-only': [
    {
      breaks: ['packages/adapter-kit/a.ts', '../../src/open-banking/money.js'],
      keeps: ['packages/adapter-kit/b.ts', '../core-adapter/core.records.js'],
    },
    { breaks: ['packages/adapter-kit/c.ts', 'undici'], keeps: ['packages/adapter-kit/d.ts', 'node:http'] },
  ],
  'kit-is-no-part-of-the-gateway': [
    {
      breaks: ['src/server/k.ts', '../../packages/adapter-kit/adapter-kit.js'],
      keeps: ['test/cores/ledger/ledger.kit.ts', '../../../packages/adapter-kit/adapter-kit.js'],
    },
  ],
  'tools-stand-above-all': [
    {
      breaks: ['test/cores/ledger/a.ts', '../../../adapter-tools/report.js'],
      keeps: ['adapter-tools/a.ts', '../src/open-banking/money.js'],
    },
  ],
  'ops-stands-above-all': [
    { breaks: ['src/bank-facing/e.ts', '../../ops/bank.client.js'], keeps: ['test/a.ts', '../ops/bank.client.js'] },
  ],
  'ops-works-without-the-wiring': [
    { breaks: ['ops/a.ts', '../src/boot/gateway.js'], keeps: ['ops/b.ts', '../src/consents/consent.js'] },
  ],
  'questions-know-the-trail': [
    { breaks: ['ops/trail/a.ts', '../../src/consents/consent.js'], keeps: ['ops/trail/b.ts', '../bank.client.js'] },
  ],
  'resource-stands-alone': [
    {
      breaks: ['src/resources/party/a.ts', '../offers/offers.mapper.js'],
      keeps: ['src/resources/party/b.ts', '../../open-banking/money.js'],
    },
    {
      breaks: ['src/resources/party/c.ts', '../../config/config.js'],
      keeps: ['src/resources/party/d.ts', '../../endpoint/envelope.js'],
    },
  ],
  'request-knows-no-room-above-it': [
    {
      breaks: ['src/request/a.ts', '../endpoint/envelope.js'],
      keeps: ['src/request/b.ts', '../open-banking/money.js'],
    },
    {
      breaks: ['src/request/c.ts', '../security/tpp.check.js'],
      keeps: ['src/request/d.ts', '../../packages/core-adapter/core.records.js'],
    },
    {
      breaks: ['src/request/e.ts', '../core-banking/core-banking.js'],
      keeps: ['src/request/f.ts', '../core-banking/guarded-reads.js'],
    },
    {
      breaks: ['src/request/g.ts', '../server/server.js'],
      keeps: ['src/endpoint/e.ts', '../request/request-context.js'],
    },
  ],
  'endpoint-knows-no-endpoint': [
    {
      breaks: ['src/endpoint/a.ts', '../resources/endpoints.js'],
      keeps: ['src/endpoint/b.ts', '../core-banking/core-banking.js'],
    },
    { breaks: ['src/endpoint/c.ts', '../server/server.js'], keeps: ['src/endpoint/d.ts', '../open-banking/money.js'] },
  ],
  'version-is-data': [
    { breaks: ['src/versions/a.ts', '../server/server.js'], keeps: ['src/versions/b.ts', '../open-banking/money.js'] },
    { breaks: ['src/versions/c.ts', '@nestjs/common'], keeps: ['src/versions/d.ts', 'typebox'] },
  ],
  'resource-without-check-or-store': [
    {
      breaks: ['src/resources/party/e.ts', '../../consents/consent.store.js'],
      keeps: ['src/resources/party/f.ts', '../../../packages/core-adapter/core.records.js'],
    },
  ],
  'prisma-stays-in-stores': [
    {
      breaks: ['src/quotas/driver.ts', 'pg'],
      keeps: ['src/core-banking/adapters/sql/postgresql/postgresql.pool.ts', 'pg'],
    },
    { breaks: ['src/consents/b.ts', '@prisma/client'], keeps: ['src/consents/c.store.ts', '@prisma/client'] },
    {
      breaks: ['src/consents/d.ts', '../../prisma/client/client.js'],
      keeps: ['src/consents/e.store.ts', '../../prisma/client/client.js'],
    },
  ],
  'http-libraries-in-one-place': [
    { breaks: ['src/server/a.ts', 'axios'], keeps: ['src/outgoing/z.ts', 'axios'] },
    { breaks: ['src/security/y.ts', 'axios'], keeps: ['src/core-banking/adapters/ledger/y.ts', 'axios'] },
    { breaks: ['src/server/b.ts', 'undici'], keeps: ['src/core-banking/adapters/ledger/e.ts', 'undici'] },
    {
      breaks: ['packages/core-adapter/e.ts', 'undici'],
      keeps: ['packages/core-adapter/http-core.client.ts', 'undici'],
    },
    {
      breaks: ['src/customer-authentication/c.ts', 'undici'],
      keeps: ['src/customer-authentication/adapters/http/c.ts', 'undici'],
    },
    {
      breaks: ['packages/customer-authentication/e.ts', 'undici'],
      keeps: ['packages/customer-authentication/sign-on-http.ts', 'undici'],
    },
  ],
  'http-service-in-clients-and-wiring': [
    { breaks: ['src/server/x.ts', '@nestjs/axios'], keeps: ['src/security/x.ts', '@nestjs/axios'] },
    {
      breaks: ['src/core-banking/x.ts', '@nestjs/axios'],
      keeps: ['src/core-banking/adapters/ledger/x.ts', '@nestjs/axios'],
    },
    {
      breaks: ['packages/core-adapter/x.ts', '@nestjs/axios'],
      keeps: ['src/customer-authentication/adapters/http/x.ts', '@nestjs/axios'],
    },
    {
      breaks: ['packages/customer-authentication/x.ts', '@nestjs/axios'],
      keeps: ['src/outgoing/w.ts', '@nestjs/axios'],
    },
    { breaks: ['src/boot/x.ts', '@nestjs/axios'], keeps: ['src/boot/x.module.ts', '@nestjs/axios'] },
    { breaks: ['src/adapters/x.ts', '@nestjs/axios'], keeps: ['src/security/w.ts', '@nestjs/axios'] },
    {
      breaks: ['src/authorisation-server/tpps/x.ts', '@nestjs/axios'],
      keeps: ['src/authorisation-server/tpps/x.providers.ts', '@nestjs/axios'],
    },
  ],
  'outgoing-knows-no-other-room': [
    { breaks: ['src/outgoing/x.ts', '../server/server.js'], keeps: ['src/outgoing/y.ts', 'axios'] },
  ],
  'pages-are-pure': [
    {
      breaks: ['src/authorisation-server/pages/a.ts', '../../consents/consent.store.js'],
      keeps: ['src/authorisation-server/pages/b.ts', '../../open-banking/money.js'],
    },
    {
      breaks: ['src/authorisation-server/pages/c.ts', '@nestjs/common'],
      keeps: ['src/authorisation-server/pages/d.ts', './html.js'],
    },
  ],
  'config-knows-no-room-above-it': [
    { breaks: ['src/config/a.ts', '../persistence/cached-rows.js'], keeps: ['src/config/b.ts', '../clock/clock.js'] },
  ],
  'persistence-knows-no-room-above-it': [
    {
      breaks: ['src/persistence/a.ts', '../consents/consent.store.js'],
      keeps: ['src/persistence/b.ts', '../config/config.js'],
    },
    {
      breaks: ['src/persistence/c.ts', '../observability/metrics.js'],
      keeps: ['src/persistence/d.ts', '../clock/clock.js'],
    },
  ],
  'observability-knows-no-room-above-it': [
    {
      breaks: ['src/observability/a.ts', '../server/server.js'],
      keeps: ['src/observability/b.ts', '../open-banking/money.js'],
    },
  ],
  'trail-knows-no-room-above-it': [
    { breaks: ['src/trail/a.ts', '../server/server.js'], keeps: ['src/trail/b.ts', '../persistence/cached-rows.js'] },
  ],
  'profiles-knows-no-room-above-it': [
    { breaks: ['src/profiles/a.ts', '../server/server.js'], keeps: ['src/profiles/b.ts', '../resources/endpoints.js'] },
  ],
  'security-knows-no-room-above-it': [
    {
      breaks: ['src/security/b.ts', '../consents/consent.js'],
      keeps: ['src/security/c.ts', '../persistence/cached-rows.js'],
    },
  ],
  'consents-knows-no-room-above-it': [
    { breaks: ['src/consents/i.ts', '../server/server.js'], keeps: ['src/consents/j.ts', '../security/tpp.check.js'] },
  ],
  'sca-knows-no-room-above-it': [
    { breaks: ['src/sca/a.ts', '../server/server.js'], keeps: ['src/sca/b.ts', '../consents/consent.js'] },
  ],
  'outages-knows-no-room-above-it': [
    {
      breaks: ['src/outages/a.ts', '../bank-facing/readiness.js'],
      keeps: ['src/outages/b.ts', '../consents/consent.js'],
    },
  ],
  'quotas-knows-no-room-above-it': [
    { breaks: ['src/quotas/a.ts', '../server/server.js'], keeps: ['src/quotas/b.ts', '../consents/consent.js'] },
  ],
  'server-knows-no-room-above-it': [
    {
      breaks: ['src/server/p.ts', '../command-line/command.js'],
      keeps: ['src/command-line/c.ts', '../open-banking/money.js'],
    },
    { breaks: ['src/server/l.ts', '../boot/gateway.js'], keeps: ['src/server/m.ts', '../observability/metrics.js'] },
    { breaks: ['src/server/n.ts', '../openapi/openapi.js'], keeps: ['src/server/o.ts', '../endpoint/envelope.js'] },
  ],
  'openapi-knows-no-room-above-it': [
    { breaks: ['src/openapi/a.ts', '../boot/gateway.js'], keeps: ['src/openapi/b.ts', '../endpoint/envelope.js'] },
  ],
  'authorisation-server-knows-no-room-above-it': [
    {
      breaks: ['src/authorisation-server/a.ts', '../bank-facing/readiness.js'],
      keeps: ['src/authorisation-server/b.ts', '../server/server.js'],
    },
  ],
  'bank-facing-knows-no-room-above-it': [
    { breaks: ['src/bank-facing/a.ts', '../boot/gateway.js'], keeps: ['src/bank-facing/b.ts', '../server/server.js'] },
  ],
  'adapters-knows-no-room-above-it': [
    { breaks: ['src/adapters/a.ts', '../boot/gateway.js'], keeps: ['src/adapters/b.ts', '../config/config.js'] },
  ],
  'command-line-knows-no-room-above-it': [
    {
      breaks: ['src/command-line/a.ts', '../boot/gateway.js'],
      keeps: ['src/command-line/b.ts', '../config/config.js'],
    },
  ],
  'build-tools-stand-above-all': [
    {
      breaks: ['src/boot/a.ts', '../../tools/build/declared-document.js'],
      keeps: ['tools/build/write-openapi.ts', './declared-document.js'],
    },
  ],
  'listeners-knows-no-room-above-it': [
    {
      breaks: ['src/authorisation-server/listeners/a.ts', '../tpps/tpp.store.js'],
      keeps: ['src/authorisation-server/listeners/b.ts', '../sealing.js'],
    },
  ],
  'tpps-knows-no-room-above-it': [
    {
      breaks: ['src/authorisation-server/tpps/a.ts', '../oidc/provider.js'],
      keeps: ['src/authorisation-server/tpps/b.ts', '../listeners/cookies.js'],
    },
  ],
  'oidc-knows-no-room-above-it': [
    {
      breaks: ['src/authorisation-server/oidc/a.ts', '../sign-in/journey.store.js'],
      keeps: ['src/authorisation-server/oidc/b.ts', '../tpps/tpp.store.js'],
    },
  ],
  'sign-in-knows-no-room-above-it': [
    {
      breaks: ['src/authorisation-server/sign-in/a.ts', '../journey/journey.routes.js'],
      keeps: ['src/authorisation-server/sign-in/b.ts', '../oidc/provider.js'],
    },
  ],
  'journey-knows-no-room-above-it': [
    {
      breaks: ['src/authorisation-server/journey/a.ts', '../dashboard/dashboard.policy.js'],
      keeps: ['src/authorisation-server/journey/b.ts', '../oidc/provider.js'],
    },
  ],
  'dashboard-knows-no-room-above-it': [
    {
      breaks: ['src/authorisation-server/dashboard/a.ts', '../authorisation-server.js'],
      keeps: ['src/authorisation-server/dashboard/b.ts', '../sign-in/journey.store.js'],
    },
  ],
  'authorisation-server-is-loaded-when-it-is-switched-on': [
    {
      breaks: ['src/consents/g.ts', '../authorisation-server/sealing.js'],
      keeps: ['src/bank-facing/d.ts', '../authorisation-server/tpps/tpp-entry.js'],
    },
    {
      breaks: ['src/authorisation-server/embedded-authorisation-server.module.ts', './sealing.js'],
      keeps: ['src/bank-facing/c.ts', '../authorisation-server/embedded-authorisation-server.module.js'],
    },
  ],
  'tracing-is-loaded-when-it-is-switched-on': [
    {
      breaks: ['src/server/traced.ts', '../observability/otel-tracing.js'],
      keeps: ['src/server/untraced.ts', '../observability/tracing.js'],
    },
    {
      breaks: ['src/consents/traced.ts', '@opentelemetry/api'],
      keeps: ['src/observability/traced.spec.ts', '@opentelemetry/api'],
    },
  ],
  'product-without-sandbox-or-test': [
    {
      breaks: ['src/server/c.ts', '../../sandbox/personas.js'],
      keeps: ['src/server/c.spec.ts', '../../test/support/app.js'],
    },
    {
      breaks: ['adapter-tools/b.ts', '../test/support/app.js'],
      keeps: ['adapter-tools/c.ts', '../packages/adapter-kit/adapter-kit.js'],
    },
  ],
  'sandbox-from-outside': [
    { breaks: ['sandbox/a.ts', '../src/config/config.js'], keeps: ['sandbox/b.ts', '../src/clock/clock.js'] },
    {
      breaks: ['sandbox/c.ts', '../packages/core-adapter/core.records.js'],
      keeps: ['sandbox/d.ts', '../src/open-banking/money.js'],
    },
    {
      breaks: ['sandbox/bank/e.ts', '../../packages/core-adapter/core.records.js'],
      keeps: ['sandbox/bank/other-core.ts', '../../packages/core-adapter/core.records.js'],
    },
  ],
  'sandbox-front-knows-no-other': [
    { breaks: ['sandbox/console/a.ts', '../cli/program.js'], keeps: ['sandbox/console/b.ts', '../actions/consent.js'] },
  ],
  'sandbox-actions-without-front': [
    { breaks: ['sandbox/actions/a.ts', '../cli/program.js'], keeps: ['sandbox/actions/b.ts', './consent.js'] },
  ],
  'production-dependencies-only': [
    { breaks: ['src/server/d.ts', 'fast-check'], keeps: ['src/server/d.spec.ts', 'fast-check'] },
    { breaks: ['sandbox/bank/d.ts', 'fast-check'], keeps: ['sandbox/clients/d.ts', 'fast-check'] },
    { breaks: ['packages/core-adapter/f.ts', 'fast-check'], keeps: ['test/cores/ledger/b.ts', 'fast-check'] },
  ],
  'declared-dependencies-only': [{ breaks: ['src/server/e.ts', 'undeclared'], keeps: ['src/server/f.ts', 'typebox'] }],
  resolvable: [{ breaks: ['src/server/g.ts', './nowhere.js'], keeps: ['src/server/h.ts', './server.js'] }],
  'no-cycles': [{ breaks: ['src/server/cycle-a.ts', './cycle-b.js'], keeps: ['src/server/j.ts', './server.js'] }],
};

/** The files that the fixtures import. */
const targets = [
  'adapter-tools/report.ts',
  'ops/bank.client.ts',
  'packages/adapter-kit/adapter-kit.ts',
  'packages/core-adapter/core.records.ts',
  'packages/core-adapter/currencies.ts',
  'src/core-banking/record-mapping/mapping.ts',
  'src/observability/otel-tracing.ts',
  'src/observability/tracing.ts',
  'src/authorisation-server/authorisation-server.ts',
  'src/authorisation-server/sealing.ts',
  'src/authorisation-server/dashboard/dashboard.policy.ts',
  'src/authorisation-server/journey/journey.routes.ts',
  'src/authorisation-server/sign-in/journey.store.ts',
  'src/authorisation-server/listeners/cookies.ts',
  'src/authorisation-server/oidc/provider.ts',
  'src/authorisation-server/pages/html.ts',
  'src/authorisation-server/tpps/tpp-entry.ts',
  'src/authorisation-server/tpps/tpp.store.ts',
  'src/clock/clock.ts',
  'src/config/config.ts',
  'src/bank-facing/readiness.ts',
  'src/consents/consent.store.ts',
  'src/consents/consent.ts',
  'src/core-banking/adapters/ledger/ledger.adapter.ts',
  'src/core-banking/adapters/other/other.adapter.ts',
  'packages/customer-authentication/customer-authentication.ts',
  'src/customer-authentication/customer-authentication.ts',
  'src/customer-authentication/adapters/http/http.adapter.ts',
  'src/core-banking/core-banking.ts',
  'src/core-banking/guarded-reads.ts',
  'src/request/request-context.ts',
  'src/endpoint/envelope.ts',
  'src/server/server.ts',
  'src/resources/endpoints.ts',
  'src/boot/gateway.ts',
  'src/command-line/command.ts',
  'tools/build/declared-document.ts',
  'src/observability/metrics.ts',
  'src/open-banking/money.ts',
  'src/openapi/openapi.ts',
  'src/persistence/cached-rows.ts',
  'prisma/client/client.ts',
  'src/resources/offers/offers.mapper.ts',
  'src/security/tpp.check.ts',
  'sandbox/actions/consent.ts',
  'sandbox/cli/program.ts',
  'sandbox/personas.ts',
  'test/support/app.ts',
];
const dependencies = [
  '@nestjs/axios',
  '@nestjs/common',
  '@opentelemetry/api',
  '@prisma/client',
  'axios',
  'typebox',
  'undici',
  'pg',
];
const devDependencies = ['fast-check'];

describe('the import rules', () => {
  /** By the command of `npm run check`, in a separate process: in Jest's it takes four times as long. */
  async function judge(folder: string): Promise<{ files: number; violations: string[] }> {
    const command = join(import.meta.dirname, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const folders = ['src', 'packages', 'adapter-tools', 'ops', 'sandbox', 'test', 'tools/build'];
    const argv = [command, '--config', config, '--output-type', 'json', ...folders];
    // It ends with a code other than 0 where a rule is broken; where it fails it prints no JSON.
    const printed = await new Promise<string>((resolve) =>
      execFile(process.execPath, argv, { cwd: folder, maxBuffer: 2 ** 26 }, (_error, stdout) => resolve(stdout)),
    );
    const { summary } = JSON.parse(printed) as ICruiseResult;
    return {
      files: summary.totalCruised,
      violations: summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`),
    };
  }

  let tree: string;
  let found: string[];

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }

  beforeAll(async () => {
    tree = await mkdtemp(join(tmpdir(), 'import-rules-'));
    const versions = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '*']));
    const manifest = {
      type: 'module',
      dependencies: versions(dependencies),
      devDependencies: versions(devDependencies),
    };
    await write('package.json', JSON.stringify(manifest));
    await write('tsconfig.json', JSON.stringify({ extends: join(root, 'tsconfig.json') }));
    for (const name of [...dependencies, ...devDependencies, 'undeclared']) {
      await write(`node_modules/${name}/package.json`, JSON.stringify({ name, type: 'module', exports: './index.js' }));
      await write(`node_modules/${name}/index.js`, 'export {};\n');
    }
    for (const path of targets) await write(path, 'export type Target = 1;\n');
    await write('src/server/cycle-b.ts', "import './cycle-a.js';\n");
    for (const { breaks, keeps } of Object.values(fixtures).flat()) {
      for (const [path, target] of [breaks, keeps])
        await write(path, `import type {} from '${target}';\nimport '${target}';\n`);
    }
    found = (await judge(tree)).violations;
  });
  afterAll(() => rm(tree, { recursive: true }));

  it('all have a file here that breaks them', () => {
    const { forbidden } = createRequire(import.meta.url)(config) as IConfiguration;
    expect(Object.keys(fixtures)).toEqual(forbidden?.map(({ name }) => name));
  });

  it.each(
    Object.entries(fixtures).flatMap(([rule, cases]) =>
      cases.map(({ breaks, keeps }) => ({
        rule,
        breaks: breaks.join(' -> '),
        broken: breaks[0],
        keeps: keeps.join(' -> '),
        kept: keeps[0],
      })),
    ),
  )('$rule refuses $breaks and allows $keeps', ({ rule, broken, kept }) => {
    expect(found).toContain(`${rule}: ${broken}`);
    expect(found.filter((violation) => violation.endsWith(`: ${kept}`))).toEqual([]);
  });

  it('nothing in the project breaks an import rule', async () => {
    const { files, violations } = await judge(root);
    expect(files).toBeGreaterThan(50);
    expect(violations).toEqual([]);
  });
});
