import type { CopiedSources } from './copied-sources.js';

// The changes that CONTRIBUTING.md explains, each as an engineer would make it: the smallest complete one.

/** An endpoint with its own core read and permission code. */
export async function addEndpoint(sources: CopiedSources): Promise<void> {
  await addToPort(sources);
  await addToKit(sources);
  await addToAdapters(sources);
  await sources.insert(
    'src/open-banking/permissions.ts',
    'ReadBalances: {',
    "  ReadPockets: { cluster: 'account-details' },",
  );
  for (const [language, words] of [
    ['english', 'The pockets that you save in'],
    ['welsh', 'Y pocedi rydych yn cynilo ynddynt'],
  ] as const)
    await sources.insert(
      `src/authorisation-server/pages/texts/${language}.ts`,
      "'permission.ReadBalances':",
      `  'permission.ReadPockets': '${words}',`,
    );
  await addResource(sources);
  await sources.insert(
    'src/resources/endpoints.ts',
    "from './party/party.endpoint.js';",
    "import { pockets } from './pockets/pockets.endpoint.js';",
  );
  await sources.insert('src/resources/endpoints.ts', '  scheduledPayments,', '  pockets,');
  for (const version of ['src/versions/v3.1/v3.1.ts', 'src/versions/v4.0/v4.0.ts']) {
    await sources.insert(
      version,
      "from '../shared/offers.form.js';",
      "import { pocketsForm } from '../shared/pockets.form.js';",
    );
    await sources.insert(version, '  forms: [', '    pocketsForm,');
  }
  await sources.insert(
    'src/app.module.ts',
    "from './resources/party/party.module.js';",
    "import { PocketsModule } from './resources/pockets/pockets.module.js';",
  );
  await sources.insert('src/app.module.ts', '  party: PartyModule,', '  pockets: PocketsModule,');
  await sources.insert('src/profiles/profile-2.ts', "        'standing-orders',", "        'pockets',");
}

async function addToPort(sources: CopiedSources): Promise<void> {
  await sources.insert(
    'packages/core-adapter/core.records.ts',
    'export type BeneficiaryKind = ',
    '',
    '/** A part of the balance that the customer has set aside. */',
    'export interface CorePocket {',
    '  readonly id: string;',
    '  readonly name: string;',
    '  readonly saved: CoreMoney;',
    '}',
  );
  const port = 'packages/core-adapter/core.adapter.ts';
  await sources.insert(port, '  CoreParty,', '  CorePocket,');
  await sources.insert(
    port,
    '  party?(accountRef: string,',
    '  pockets?(accountRef: string, context: CoreContext): Promise<CoreRead<CorePocket>>;',
  );
  await sources.insert(port, "  'party',", "  'pockets',");
}

async function addToKit(sources: CopiedSources): Promise<void> {
  const truth = 'packages/adapter-kit/adapter-under-test.ts';
  await sources.insert(truth, '  CoreParty,', '  CorePocket,');
  await sources.insert(truth, '  readonly party?: ', '  readonly pockets?: readonly CorePocket[];');
  await sources.insert(
    'packages/adapter-kit/clauses.ts',
    "clause('CORE-65',",
    "  clause('CORE-99', 'pockets are the truth', ['pockets']),",
  );
  await sources.insert(
    'packages/adapter-kit/checks/checks.ts',
    "'CORE-65':",
    "  'CORE-99': records.readIsTrue('pockets'),",
  );
}

async function addToAdapters(sources: CopiedSources): Promise<void> {
  const adapters = 'src/core-banking/adapters';
  await sources.add(
    `${adapters}/ledger/pockets.records.ts`,
    `import type { CoreAccount, CorePocket } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { textOf, integerOf } from '../../../../packages/core-adapter/row-fields.js';
import { money } from './ledger.fields.js';

export function toPocket(row: Row, account: CoreAccount): CorePocket {
  return {
    id: textOf(row, 'key'),
    name: textOf(row, 'label'),
    saved: money(integerOf(row, 'saved'), account.currency),
  };
}
`,
  );
  const ledger = `${adapters}/ledger/ledger.adapter.ts`;
  await sources.insert(ledger, '  CoreParty,', '  CorePocket,');
  await sources.insert(ledger, "from './payees.records.js';", "import { toPocket } from './pockets.records.js';");
  await sources.insert(
    ledger,
    "return this.list('promos', ",
    '  }',
    '',
    '  pockets(accountRef: string, context: CoreContext): Promise<CoreRead<CorePocket>> {',
    "    return this.list('pockets', accountRef, context, toPocket);",
  );
  await sources.insert(
    `${adapters}/fineract/fineract.adapter.ts`,
    "offers: 'Fineract has no offers',",
    "      pockets: 'Fineract has no pockets',",
  );
}

async function addResource(sources: CopiedSources): Promise<void> {
  const folder = 'src/resources/pockets';
  await sources.add(
    `${folder}/pockets.endpoint.ts`,
    `import { declareRule } from '../../endpoint/endpoint-rule.js';
import { pocketFields } from './pocket.mapper.js';

export const pockets = declareRule({
  name: 'pockets',
  read: 'pockets',
  permissions: [['ReadPockets']],
  window: 'always',
  ids: { kind: 'pocket', uniqueWithin: 'account' },
  fields: pocketFields,
  summary: 'Pockets',
});
`,
  );
  await sources.add(
    'src/versions/shared/pockets.form.ts',
    `import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { AccountIdSchema, AmountSchema, IdSchema } from '../../open-banking/schemas.js';
import { pockets } from '../../resources/pockets/pockets.endpoint.js';

const PocketSchema = Type.Object({
  AccountId: AccountIdSchema,
  PocketId: IdSchema,
  Name: Type.String({ minLength: 1, maxLength: 70, examples: ['Holidays'] }),
  Amount: AmountSchema,
});

export const pocketsForm = declareForm(pockets, {
  path: '/accounts/:AccountId/pockets',
  collection: 'Pocket',
  schema: PocketSchema,
  words: ({ accountId, pocketId, name, saved }) => ({
    AccountId: accountId,
    PocketId: pocketId,
    Name: name,
    Amount: saved,
  }),
});
`,
  );
  await sources.add(
    `${folder}/pocket.mapper.ts`,
    `import type { CorePocket } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { freeText } from '../../open-banking/free-text.js';
import { amount, type Amount } from '../../open-banking/money.js';

interface PocketFields {
  readonly accountId: string;
  readonly pocketId: string;
  readonly name: string;
  readonly saved: Amount;
}

export function pocketFields({ id, name, saved }: CorePocket, view: IdentifiedView): PocketFields {
  return {
    accountId: view.accountId,
    pocketId: view.publicId(id),
    name: freeText(name, 70),
    saved: amount(saved.minorUnits, saved.currency),
  };
}
`,
  );
  await sources.add(
    `${folder}/pockets.controller.ts`,
    `import { Controller } from '@nestjs/common';
import { listController } from '../list.controller.js';
import { pockets } from './pockets.endpoint.js';

@Controller()
export class PocketsController extends listController(pockets) {}
`,
  );
  await sources.add(
    `${folder}/pockets.module.ts`,
    `import { Module } from '@nestjs/common';
import { PocketsController } from './pockets.controller.js';

@Module({ controllers: [PocketsController] })
export class PocketsModule {}
`,
  );
}

/**
 * A field that the core has and that the standard's resource gets: from the row of the ledger to the account of the TPP.
 */
export async function addField(sources: CopiedSources): Promise<void> {
  await sources.insert(
    'packages/core-adapter/core.records.ts',
    '  readonly cardLastFour?: string;',
    '  /** The branch that keeps the account. */',
    '  readonly branch?: string;',
  );
  await sources.insert(
    'src/core-banking/adapters/ledger/accounts.records.ts',
    "    description: optionalField('description', () => optionalTextOf(row, 'label')),",
    "    branch: optionalTextOf(row, 'branch'),",
  );
  const mapper = 'src/resources/accounts/account.mapper.ts';
  await sources.insert(mapper, '  readonly description: string | undefined;', '  readonly branch: string | undefined;');
  await sources.insert(
    mapper,
    '    description: freeText(',
    "    branch: freeText(account.branch ?? '', 70) || undefined,",
  );
  const form = 'src/versions/shared/accounts.ts';
  await sources.insert(
    form,
    '  Description: Type.Optional(',
    '  Branch: Type.Optional(Type.String({ minLength: 1, maxLength: 70 })),',
  );
  await sources.replace(
    form,
    '{ accountId, currency, description, numbers }',
    '{ accountId, currency, description, branch, numbers }',
  );
  await sources.replace(form, 'Description: description,', 'Description: description, Branch: branch,');
}

/** An error with a new status, and the one place that answers with it. */
export async function addError(sources: CopiedSources): Promise<void> {
  const table = 'src/open-banking/error-table.ts';
  await sources.insert(
    table,
    "  406: { name: 'NotAcceptable',",
    "  410: { name: 'Gone', description: 'The bank has withdrawn the resource.' },",
  );
  await sources.insert(
    table,
    'export const errorTable = {',
    "  withdrawn: { status: 410, code: '410 Gone', help: 'Ask with the customer.' },",
  );
  for (const [version, code] of [
    ['v3.1', 'UK.{bank}.Resource.Withdrawn'],
    ['v4.0', 'U042'],
  ])
    await sources.insert(
      `src/versions/${version}/errors.form.ts`,
      'const codes: ErrorCodes = {',
      `  withdrawn: '${code}',`,
    );
  const controller = 'src/resources/party/party.controller.ts';
  await sources.insert(
    controller,
    "from '../../endpoint/resource-request.js';",
    "import { OpenBankingError } from '../../open-banking/errors.js';",
  );
  await sources.insert(
    controller,
    '  async get(@ConsentedAccount() to: ResourceRequest',
    "    if (to.request.headers['x-fapi-customer-ip-address'] === undefined)",
    "      throw new OpenBankingError('withdrawn', { message: 'Ask while the customer is present.' }, { reason: 'consent-ended' });",
  );
}

/** A product of the bank, which no code knows by its name. */
export async function addProduct(sources: CopiedSources): Promise<void> {
  await sources.insert(
    'src/profiles/profile-2.ts',
    '  products: {',
    "    Mortgage: { kind: 'mortgage', endpoints: ['accounts', 'balances', 'transactions'] },",
  );
}

/** A profile that is profile-2 without offers. */
export async function addProfile(sources: CopiedSources): Promise<void> {
  await sources.add(
    'src/profiles/profile-rehearsed.ts',
    `import { profileOf, type ProfileProduct } from './profile.js';
import { profile as profile2 } from './profile-2.js';

const products = Object.entries(profile2.products).map(([name, product]): [string, ProfileProduct] => {
  return [name, { ...product, endpoints: product.endpoints.filter((endpoint) => endpoint !== 'offers') }];
});

export const profile = profileOf({
  ...profile2,
  name: 'profile-rehearsed',
  products: Object.fromEntries(products),
  rules: { unattendedAccess: { mode: 'enforce', limit: 3 } },
});
`,
  );
}
