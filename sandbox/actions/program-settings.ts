import type { ApiScope } from '../../src/open-banking/scopes.js';
import type { VersionName } from '../../src/versions/versions.js';
import { servedFundsVersions, servedVersions } from '../clients/published-facts.js';
import type { Stack } from '../clients/stack.js';
import { FaultyStart } from '../faulty-start.js';
import { personas } from './bank.js';
import { acceptedPermissions, publishedFacts } from './consent.js';
import { accountWithDebtor } from './funds.js';
import { bankEndpoint } from './registration.js';

/** A new TPP reads this with its first consent: everything that the gateway serves. */
export interface Readable {
  /** The path of the version of the API. */
  readonly basePath: string;
  readonly permissions: readonly string[];
  /** The resources of an account, as its paths name them. */
  readonly resources: readonly string[];
}

export async function readableOf(stack: Stack, api?: VersionName): Promise<Readable> {
  const facts = await publishedFacts(stack);
  const basePath = servedVersions(facts, api).at(-1)?.basePath ?? '';
  const resources = new Set(Object.values(facts.Products).flat());
  resources.delete('accounts');
  return { basePath, permissions: acceptedPermissions(facts), resources: [...resources] };
}

/** The bank's addresses and the account that the program of a new TPP asks about, as settings of its `.env`. */
export function programSettings(stack: Stack, scope: ApiScope, api?: VersionName): Promise<Record<string, string>> {
  return scope === 'accounts' ? readingSettings(stack, api) : askingSettings(stack, api);
}

async function readingSettings(stack: Stack, api?: VersionName) {
  const { basePath, permissions, resources } = await readableOf(stack, api);
  return { API_URL: apiUrl(stack, basePath), PERMISSIONS: permissions.join(' '), RESOURCES: resources.join(' ') };
}

/** The program asks about an account of the first persona. */
async function askingSettings(stack: Stack, api?: VersionName) {
  const path = servedFundsVersions(await publishedFacts(stack), api).at(-1)?.fundsPath ?? '';
  const [persona] = await personas(stack);
  if (persona === undefined) throw new FaultyStart('the sandbox bank has no customers');
  const { SchemeName, Identification, Currency } = accountWithDebtor(persona).debtor;
  return { API_URL: apiUrl(stack, path), SCHEME_NAME: SchemeName, IDENTIFICATION: Identification, CURRENCY: Currency };
}

function apiUrl({ config }: Stack, path: string): string {
  return `${bankEndpoint(config).tppUrl}${path}`;
}
