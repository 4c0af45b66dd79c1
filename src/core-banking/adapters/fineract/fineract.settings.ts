import { CoreSettingFault, type CoreSettings, isThisMachine } from '../../../../packages/core-adapter/core-settings.js';
import { tlsFilesOf } from '../../../../packages/core-adapter/tls-files.js';

/** The settings that only this core needs: docs/operate/settings.md lists them. */
export const fineractVariables = {
  CORE_TENANT: 'Identifier of the tenant.',
  CORE_TENANT_TIME_ZONE: 'Must be `Europe/London`, and so must the tenant’s `timezone_id`.',
  CORE_USERNAME: 'The gateway’s user (Basic).',
  CORE_PASSWORD: 'Its password.',
  CORE_TOKEN_URL: 'In place of a user: token endpoint of the authorization server before Fineract.',
  CORE_CLIENT_ID: 'The gateway’s client there.',
  CORE_CLIENT_SECRET: 'Its secret.',
  CORE_CA_FILE: 'Authorities (PEM) of Fineract’s certificate.',
  CORE_CERT_FILE: 'Certificate (PEM) of the gateway, where Fineract asks for one.',
  CORE_KEY_FILE: 'Key (PEM) of that certificate.',
  CORE_PRODUCTS: 'Product of each savings product by its id: `1=CurrentAccount,2=Savings,3=hidden`.',
  CORE_DORMANT: '`permit`, the default, or `refuse`, which closes dormant accounts to TPPs.',
  CORE_IDENTIFIERS_TABLE: 'Data table with sort codes and account numbers.',
  CORE_BENEFICIARIES_TABLE: 'Data table with beneficiaries.',
} as const;
type Variable = keyof typeof fineractVariables;

export type FineractLogin =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'oauth'; readonly tokenUrl: string; readonly clientId: string; readonly clientSecret: string };

/** Stands in CORE_PRODUCTS in place of a product: its accounts are never offered. */
export const hidden = 'hidden';

export type FineractSettings = Readonly<ReturnType<typeof readFineractSettings>>;

/** @throws CoreSettingFault for the first setting that is missing or wrong, by its name and without its value. */
export function readFineractSettings({ url, connections, variables }: CoreSettings) {
  const set = (name: Variable): string | undefined => {
    const value = variables[name]?.trim();
    return value === '' ? undefined : value;
  };
  const plain = variables['ALLOW_PLAIN_CONNECTIONS'] === 'sandbox';
  secureUrl('CORE_URL', url, plain);
  return {
    /** Where Fineract's paths begin, e.g. `https://fineract.internal:8443/fineract-provider/api`. */
    url,
    connections,
    tenant: matching('CORE_TENANT', set('CORE_TENANT'), /^[\w.-]{1,100}$/, 'the identifier of the tenant'),
    timeZone: readTimeZone(set('CORE_TENANT_TIME_ZONE')),
    login: readLogin(set, plain),
    ...tlsFilesOf(variables),
    /** By the id of the savings product: the name of a product of the profile, or {@link hidden}. */
    products: readProducts(set('CORE_PRODUCTS')),
    dormantPermitted:
      oneOf('CORE_DORMANT', set('CORE_DORMANT') ?? 'permit', ['permit', 'refuse'] as const) === 'permit',
    identifiersTable: readTable('CORE_IDENTIFIERS_TABLE', set('CORE_IDENTIFIERS_TABLE')),
    beneficiariesTable: readTable('CORE_BENEFICIARIES_TABLE', set('CORE_BENEFICIARIES_TABLE')),
  };
}

/** Either a user of Fineract (Basic), or a client of the authorization server before it (client credentials). */
function readLogin(set: (name: Variable) => string | undefined, plain: boolean): FineractLogin {
  const basic = ['CORE_USERNAME', 'CORE_PASSWORD'] as const;
  const oauth = ['CORE_TOKEN_URL', 'CORE_CLIENT_ID', 'CORE_CLIENT_SECRET'] as const;
  const usesOauth = oauth.some((name) => set(name) !== undefined);
  const stray = usesOauth ? basic.find((name) => set(name) !== undefined) : undefined;
  if (stray !== undefined)
    throw new CoreSettingFault(stray, `excludes ${oauth.join(', ')}: set a user or a client, not both`);
  for (const name of usesOauth ? oauth : basic)
    if (set(name) === undefined)
      throw new CoreSettingFault(name, `must be set: either ${basic.join(' and ')}, or ${oauth.join(', ')}`);
  if (!usesOauth) {
    const username = set('CORE_USERNAME') as string;
    // The first colon ends the user's name in the header (RFC 7617, section 2).
    if (username.includes(':')) throw new CoreSettingFault('CORE_USERNAME', 'must not contain a colon');
    return { kind: 'basic', username, password: set('CORE_PASSWORD') as string };
  }
  const tokenUrl = set('CORE_TOKEN_URL') as string;
  secureUrl('CORE_TOKEN_URL', tokenUrl, plain);
  return {
    kind: 'oauth',
    tokenUrl,
    clientId: set('CORE_CLIENT_ID') as string,
    clientSecret: set('CORE_CLIENT_SECRET') as string,
  };
}

/** Fineract sends days of its tenant's calendar without a zone; they are shown as days of a British bank. */
function readTimeZone(value: string | undefined): string {
  if (value !== 'Europe/London')
    throw new CoreSettingFault(
      'CORE_TENANT_TIME_ZONE',
      "must be Europe/London, and so must the tenant's own timezone_id in Fineract (it ships with Asia/Kolkata)",
    );
  return value;
}

/** `1=CurrentAccount,2=Savings,3=hidden` */
function readProducts(value: string | undefined): ReadonlyMap<number, string> {
  const products = new Map<number, string>();
  const rule =
    'must name the profile’s product, or hidden, for each savings product by its id, e.g. 1=CurrentAccount,2=Savings,3=hidden';
  for (const entry of value?.split(',') ?? []) {
    const [, id, product] = /^\s*([1-9]\d{0,14})\s*=\s*([^\s=][^=]*?)\s*$/.exec(entry) ?? [];
    if (id === undefined || product === undefined || products.has(Number(id)))
      throw new CoreSettingFault('CORE_PRODUCTS', rule);
    products.set(Number(id), product);
  }
  if (products.size === 0) throw new CoreSettingFault('CORE_PRODUCTS', rule);
  return products;
}

function readTable(name: Variable, value: string | undefined): string | undefined {
  return value === undefined ? undefined : matching(name, value, /^[A-Za-z_][\w ]{0,63}$/, 'the name of a data table');
}

function secureUrl(name: 'CORE_URL' | 'CORE_TOKEN_URL', value: string, plain: boolean): void {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed === undefined || !['https:', 'http:'].includes(parsed.protocol))
    throw new CoreSettingFault(name, 'must be an https URL');
  if (parsed.username !== '' || parsed.password !== '')
    throw new CoreSettingFault(name, 'must not carry credentials: set CORE_USERNAME and CORE_PASSWORD');
  if (parsed.search !== '' || parsed.hash !== '')
    throw new CoreSettingFault(name, 'must not have a query or a fragment');
  if (parsed.protocol === 'http:' && !plain && !isThisMachine(parsed.hostname))
    throw new CoreSettingFault(name, 'must be an https URL (in a sandbox set ALLOW_PLAIN_CONNECTIONS=sandbox)');
}

function matching(name: Variable, value: string | undefined, form: RegExp, what: string): string {
  if (value === undefined || !form.test(value)) throw new CoreSettingFault(name, `must be ${what}`);
  return value;
}

function oneOf<T extends string>(name: Variable, value: string, words: readonly T[]): T {
  const word = words.find((one) => one === value);
  if (word === undefined) throw new CoreSettingFault(name, `must be ${words.join(' or ')}`);
  return word;
}
