import { errorTable } from '../../src/open-banking/error-table.js';
import type { CopiedSources } from './copied-sources.js';

export const rehearsedBase = '/account-data/v5.0';

/** A made-up error code for each row of the table, and for the row that the rehearsal adds. */
export const rehearsedCodes: Readonly<Record<string, string>> = Object.fromEntries(
  [...Object.keys(errorTable), 'withdrawn'].map((kind, index) => [kind, `E${String(index).padStart(3, '0')}`]),
);

/**
 * A version with its own base path, error codes and words of consents. It renames two members and one code of
 * accounts and one member of consents, and does not serve beneficiaries.
 */
export async function addVersion(sources: CopiedSources): Promise<void> {
  await addWords(sources);
  await addForms(sources);
  await sources.add('src/versions/v5.0.ts', versionText);
  const registry = 'src/versions/versions.ts';
  await sources.insert(registry, "from './v3.1.js';", "import { v5_0 } from './v5.0.js';");
  await sources.replace(registry, '= [defaultVersion];', '= [defaultVersion, v5_0];');
}

const versionText = `import type { ApiVersion } from '../endpoint/api-version.js';
import type { EndpointRule } from '../endpoint/endpoint-rule.js';
import { accounts, accountsFormV5, singleAccount, singleAccountFormV5 } from '../resources/accounts/accounts.endpoint.js';
import { beneficiaries } from '../resources/beneficiaries/beneficiaries.endpoint.js';
import { v3_1 } from './v3.1.js';
import { consentForm } from './v5.0.consents.js';
import { errorCodes } from './v5.0.errors.js';

/** Those whose form of v3.1 it does not serve. */
const changed: readonly EndpointRule[] = [accounts, singleAccount, beneficiaries];

export const v5_0: ApiVersion = {
  name: 'v5.0',
  release: '5.0.2',
  basePath: '${rehearsedBase}',
  forms: [
    ...[accountsFormV5, singleAccountFormV5],
    ...v3_1.forms.filter(({ rule }) => !changed.includes(rule)),
  ],
  consent: consentForm,
  errorCodes,
  errorCodePattern: '^E\\\\d{3}$',
};
`;

async function addWords(sources: CopiedSources): Promise<void> {
  const codes = Object.entries(rehearsedCodes).map(([kind, code]) => `  '${kind}': '${code}',`);
  await sources.add(
    'src/versions/v5.0.errors.ts',
    `import type { ErrorCodes } from '../open-banking/error-table.js';

export const errorCodes: ErrorCodes = {
${codes.join('\n')}
};
`,
  );
  await sources.add(
    'src/versions/v5.0.consents.ts',
    `import { Type } from 'typebox';
import type { ConsentForm } from '../endpoint/api-version.js';
import { consentForm as earlier } from './v3.1.consents.js';

const words = { awaiting: 'WAIT', authorised: 'GIVN', rejected: 'RFSD', revoked: 'TAKN' } as const;
const { Data, Risk } = earlier.request.properties;
const { ExpirationDateTime: ValidUntil, ...asked } = Data.properties;
const { Status: _, ExpirationDateTime, ...shown } = earlier.answer.properties;
const closed = { additionalProperties: false };

export const consentForm: ConsentForm = {
  request: Type.Object({ Data: Type.Object({ ...asked, ValidUntil }, closed), Risk }, { title: 'ReadConsent', ...closed }),
  terms: { ...earlier.terms, expires: 'ValidUntil' },
  answer: Type.Object({
    ...shown,
    Status: Type.String({ enum: [...Object.values(words), 'OVER'] }),
    StatusReason: Type.Optional(Type.String()),
    ValidUntil: ExpirationDateTime,
  }),
  toData: (consent, state) => {
    const { ExpirationDateTime, ...data } = earlier.toData(consent, state);
    const until = ExpirationDateTime && { ValidUntil: ExpirationDateTime };
    if (state.expired) return { ...data, ...until, Status: 'OVER', StatusReason: 'The consent has expired.' };
    return { ...data, ...until, Status: words[state.ended ? 'revoked' : state.status] };
  },
};
`,
  );
}

async function addForms(sources: CopiedSources): Promise<void> {
  const folder = 'src/resources/accounts';
  await sources.add(
    `${folder}/account.v5.0.schema.ts`,
    `import { Type, type Static } from 'typebox';
import { AccountSchema } from './account.schema.js';

const { AccountType, AccountSubType: _, ...members } = AccountSchema.properties;

export const AccountSchemaV5 = Type.Object({
  ...members,
  AccountCategory: AccountType,
  AccountTypeCode: Type.String({ examples: ['CACC'] }),
});
export type AccountV5 = Static<typeof AccountSchemaV5>;
`,
  );
  await sources.add(
    `${folder}/account.v5.0.mapper.ts`,
    `import type { CoreAccount } from '../../../packages/core-adapter/core.records.js';
import { toAccount, type AccountView } from './account.mapper.js';
import type { AccountV5 } from './account.v5.0.schema.js';

export function toAccountV5(account: CoreAccount, view: AccountView): AccountV5 {
  const { AccountType, AccountSubType, ...members } = toAccount(account, view);
  return {
    ...members,
    AccountCategory: AccountType,
    AccountTypeCode: AccountSubType === 'CurrentAccount' ? 'CACC' : AccountSubType,
  };
}
`,
  );
  const endpoint = `${folder}/accounts.endpoint.ts`;
  await sources.insert(
    endpoint,
    "from './account.schema.js';",
    "import { toAccountV5 } from './account.v5.0.mapper.js';",
    "import { AccountSchemaV5 } from './account.v5.0.schema.js';",
  );
  await sources.insert(
    endpoint,
    'export const singleAccountForm = ',
    '',
    'const formV5 = { ...form, schema: AccountSchemaV5, map: toAccountV5 };',
    '',
    "export const accountsFormV5 = declareForm(accounts, { ...formV5, path: '/accounts' });",
    "export const singleAccountFormV5 = declareForm(singleAccount, { ...formV5, path: '/accounts/:AccountId' });",
  );
}
