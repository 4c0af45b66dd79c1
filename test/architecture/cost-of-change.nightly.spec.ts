// Nightly: it compiles all sources.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';

const adapters = 'src/core-banking/adapters';
const resource = 'src/resources/pockets';

/** Puts the text behind the words, which the file has once; a text that begins a line, behind the line with the words. */
type Edit = readonly [file: string, words: string, text: string];
/** A change that CONTRIBUTING.md explains, as an engineer would make it: the smallest complete one. */
interface Change {
  readonly made?: Readonly<Record<string, string>>;
  readonly edits?: readonly Edit[];
}

/** An endpoint with its own core read and permission code. */
const endpoint: Change = {
  edits: [
    [
      'packages/core-adapter/core.records.ts',
      'export type BeneficiaryKind = ',
      '\nexport interface CorePocket { readonly id: string; readonly name: string; readonly saved: CoreMoney }',
    ],
    ['packages/core-adapter/core.adapter.ts', '  CoreParty,', '\n  CorePocket,'],
    [
      'packages/core-adapter/core.adapter.ts',
      '  party?(accountRef: string,',
      '\n  pockets?(accountRef: string, context: CoreContext): Promise<CoreRead<CorePocket>>;',
    ],
    ['packages/core-adapter/core.adapter.ts', "  'party',", "\n  'pockets',"],
    ['packages/adapter-kit/adapter-under-test.ts', '  CoreParty,', '\n  CorePocket,'],
    [
      'packages/adapter-kit/adapter-under-test.ts',
      '  readonly party?: ',
      '\n  readonly pockets?: readonly CorePocket[];',
    ],
    [
      'packages/adapter-kit/clauses.ts',
      "clause('CORE-65',",
      "\n  clause('CORE-99', 'pockets are the truth', ['pockets']),",
    ],
    ['packages/adapter-kit/checks/checks.ts', "'CORE-65':", "\n  'CORE-99': records.readIsTrue('pockets'),"],
    [`${adapters}/ledger/ledger.adapter.ts`, '  CoreParty,', '\n  CorePocket,'],
    [
      `${adapters}/ledger/ledger.adapter.ts`,
      "from './payees.records.js';",
      "\nimport { toPocket } from './pockets.records.js';",
    ],
    [
      `${adapters}/ledger/ledger.adapter.ts`,
      "return this.list('promos', ",
      `
  }

  pockets(accountRef: string, context: CoreContext): Promise<CoreRead<CorePocket>> {
    return this.list('pockets', accountRef, context, toPocket);`,
    ],
    [
      `${adapters}/fineract/fineract.adapter.ts`,
      "offers: 'Fineract has no offers',",
      "\n pockets: 'Fineract has no pockets',",
    ],
    ['src/open-banking/permissions.ts', 'ReadBalances: {', "\n  ReadPockets: { cluster: 'account-details' },"],
    ...['english', 'welsh'].map((language): Edit => [
      `src/authorisation-server/pages/texts/${language}.ts`,
      "'permission.ReadBalances':",
      "\n  'permission.ReadPockets': 'The pockets that you save in',",
    ]),
    [
      'src/resources/endpoints.ts',
      "from './party/party.endpoint.js';",
      "\nimport { pockets } from './pockets/pockets.endpoint.js';",
    ],
    ['src/resources/endpoints.ts', '  scheduledPayments,', '\n  pockets,'],
    ...['v3.1', 'v4.0'].flatMap((version): Edit[] => [
      [
        `src/versions/${version}/${version}.ts`,
        "from '../shared/offers.form.js';",
        "\nimport { pocketsForm } from '../shared/pockets.form.js';",
      ],
      [`src/versions/${version}/${version}.ts`, '  forms: [', '\n    pocketsForm,'],
    ]),
    [
      'src/app.module.ts',
      "from './resources/party/party.module.js';",
      "\nimport { PocketsModule } from './resources/pockets/pockets.module.js';",
    ],
    ['src/app.module.ts', '  party: PartyModule,', '\n  pockets: PocketsModule,'],
    ['src/profiles/profile-2.ts', "        'standing-orders',", "\n        'pockets',"],
  ],
  made: {
    [`${adapters}/ledger/pockets.records.ts`]: `
import type { CoreAccount, CorePocket } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { textOf, integerOf } from '../../../../packages/core-adapter/row-fields.js';
import { money } from './ledger.fields.js';
export const toPocket = (row: Row, account: CoreAccount): CorePocket => ({
  id: textOf(row, 'key'), name: textOf(row, 'label'), saved: money(integerOf(row, 'saved'), account.currency),
});`,
    [`${resource}/pockets.endpoint.ts`]: `
import { declareRule } from '../../endpoint/endpoint-rule.js';
import { pocketFields } from './pocket.mapper.js';
export const pockets = declareRule({
  name: 'pockets', read: 'pockets', permissions: [['ReadPockets']], window: 'always',
  ids: { kind: 'pocket', uniqueWithin: 'account' }, fields: pocketFields, summary: 'Pockets',
});`,
    [`${resource}/pocket.mapper.ts`]: `
import type { CorePocket } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { freeText } from '../../open-banking/free-text.js';
import { amount } from '../../open-banking/money.js';
export const pocketFields = ({ id, name, saved }: CorePocket, view: IdentifiedView) => ({
  accountId: view.accountId, pocketId: view.publicId(id), name: freeText(name, 70),
  saved: amount(saved.minorUnits, saved.currency),
});`,
    [`${resource}/pockets.controller.ts`]: `
import { Controller } from '@nestjs/common';
import { listController } from '../list.controller.js';
import { pockets } from './pockets.endpoint.js';
@Controller() export class PocketsController extends listController(pockets) {}`,
    [`${resource}/pockets.module.ts`]: `
import { Module } from '@nestjs/common';
import { PocketsController } from './pockets.controller.js';
@Module({ controllers: [PocketsController] }) export class PocketsModule {}`,
    'src/versions/shared/pockets.form.ts': `
import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { AccountIdSchema, AmountSchema, IdSchema } from '../../open-banking/schemas.js';
import { pockets } from '../../resources/pockets/pockets.endpoint.js';
const schema = Type.Object({ AccountId: AccountIdSchema, PocketId: IdSchema, Name: Type.String(), Amount: AmountSchema });
export const pocketsForm = declareForm(pockets, {
  path: '/accounts/:AccountId/pockets', collection: 'Pocket', schema,
  words: ({ accountId, pocketId, name, saved }) => ({ AccountId: accountId, PocketId: pocketId, Name: name, Amount: saved }),
});`,
  },
};

/** A field that the core has and that the standard's resource gets: from the row of the ledger to the account of the TPP. */
const field: Change = {
  edits: [
    ['packages/core-adapter/core.records.ts', '  readonly cardLastFour?: string;', '\n  readonly branch?: string;'],
    [
      `${adapters}/ledger/accounts.records.ts`,
      "    description: optionalField('description', () => optionalTextOf(row, 'label')),",
      "\n    branch: optionalTextOf(row, 'branch'),",
    ],
    [
      'src/resources/accounts/account.mapper.ts',
      '    description: freeText(',
      "\n    branch: freeText(account.branch ?? '', 70) || undefined,",
    ],
    ['src/versions/shared/accounts.ts', '  Description: Type.Optional(', '\n  Branch: Type.Optional(Type.String()),'],
    ['src/versions/shared/accounts.ts', 'accountWords({ accountId, currency, description,', ' branch,'],
    ['src/versions/shared/accounts.ts', 'Description: description,', ' Branch: branch,'],
  ],
};

/** An error with a new status, and the one place that answers with it. */
const error: Change = {
  edits: [
    [
      'src/open-banking/error-table.ts',
      "  406: { name: 'NotAcceptable',",
      "\n 410: { name: 'Gone', description: 'Gone.' },",
    ],
    [
      'src/open-banking/error-table.ts',
      'export const errorTable = {',
      "\n  withdrawn: { status: 410, code: '410 Gone', help: 'Ask with the customer.' },",
    ],
    ...['v3.1', 'v4.0'].map((version): Edit => [
      `src/versions/${version}/errors.form.ts`,
      'const codes: ErrorCodes = {',
      "\n  withdrawn: 'UK.{bank}.Resource.Withdrawn',",
    ]),
    [
      'src/resources/party/party.controller.ts',
      "from '../../endpoint/resource-request.js';",
      "\nimport { OpenBankingError } from '../../open-banking/errors.js';",
    ],
    [
      'src/resources/party/party.controller.ts',
      '  async get(@ConsentedAccount() to: ResourceRequest',
      "\n if (!to.request.headers.host) throw new OpenBankingError('withdrawn', { message: '' }, { reason: 'consent-ended' });",
    ],
  ],
};

const product: Change = {
  edits: [
    [
      'src/profiles/profile-2.ts',
      '  products: {',
      "\n    Mortgage: { kind: 'mortgage', endpoints: ['accounts', 'balances', 'transactions'] },",
    ],
  ],
};

const profile: Change = {
  made: {
    'src/profiles/profile-rehearsed.ts': `
import { profileOf } from './profile.js';
import { profile as profile2 } from './profile-2.js';
export const profile = profileOf({ ...profile2, name: 'profile-rehearsed', rules: { authenticationWindowSeconds: 60 } });`,
  },
};

/** The names that the rehearsals give to the parts that CONTRIBUTING.md leaves open. */
const names = { '<resources>': 'pockets', '<resource>': 'pocket', '<name>': 'rehearsed' };
/** The compiler reads all sources. */
const compilesWithinMs = 300_000;

describe('a change rehearsed on a copy of the sources', () => {
  let root: string;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'copied-sources-'));
    const filter = (path: string): boolean => !path.endsWith('.spec.ts');
    for (const path of ['src', 'packages', 'prisma/client', 'adapter-tools', 'package.json', 'tsconfig.json'])
      cpSync(join(packageRoot(), path), join(root, path), { recursive: true, filter });
    symlinkSync(join(packageRoot(), 'node_modules'), join(root, 'node_modules'));
    for (const change of [endpoint, field, error, product, profile]) apply(change);
  });
  afterAll(() => rmSync(root, { recursive: true }));

  function apply({ made = {}, edits = [] }: Change): void {
    for (const [file, text] of Object.entries(made)) {
      const path = join(root, file);
      if (existsSync(path)) throw new Error(`${file} exists`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    for (const [file, words, text] of edits) {
      const path = join(root, file);
      const [before, after, ...more] = readFileSync(path, 'utf8').split(words);
      if (after === undefined || more.length > 0) throw new Error(`${file} does not have "${words}" once`);
      const rest = text.startsWith('\n') ? after.indexOf('\n') : 0;
      writeFileSync(path, `${before}${words}${after.slice(0, rest)}${text}${after.slice(rest)}`);
    }
  }

  it.each([
    // Twelve, the customers' words in each of two languages, and the two versions.
    ['Add an endpoint', endpoint, 12 + 2 + 2],
    ['Add a field', field, 4],
    // One of them for each version.
    ['Add an error', error, 2 + 2],
    ['Add a product', product, 1],
    ['Add a profile', profile, 1],
  ])('of the section "%s" of CONTRIBUTING.md touches exactly the files that it lists, and few', (...change) => {
    const [section, { made = {}, edits = [] }, most] = change;
    const files = [...new Set([...Object.keys(made), ...edits.map(([file]) => file)])].sort();
    expect(files).toEqual(listed(section));
    expect(files.filter((file) => file.startsWith('src/')).length).toBeLessThanOrEqual(most);
  });

  it(
    'compiles',
    () => {
      const compiler = ['node_modules/typescript-7/bin/tsc', '--checkers', '1', '--project', 'tsconfig.json'];
      execFileSync(process.execPath, compiler, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
    },
    compilesWithinMs,
  );
});

/** The files of the product that a section of CONTRIBUTING.md names, with the names that its rehearsal gives them. */
function listed(section: string): string[] {
  const contributing = readFileSync(join(packageRoot(), 'CONTRIBUTING.md'), 'utf8');
  const text = contributing.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  const files = [...text.matchAll(/`((?:src|packages|adapter-tools)\/[\w./<>-]+\.ts)`/g)].map(([, file = '']) =>
    Object.entries(names).reduce((path, [open, name]) => path.replaceAll(open, name), file),
  );
  return files.filter((file) => !file.endsWith('.spec.ts')).sort();
}
