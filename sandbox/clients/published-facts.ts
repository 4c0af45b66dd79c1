import { type VersionName, versionsNamed } from '../../src/versions/versions.js';
import { FaultyStart } from '../faulty-start.js';

export const publishedFactsPath = '/.well-known/account-information';

/** The gateway's published facts, as far as the sandbox needs them. */
export interface PublishedFacts {
  /** The oldest first. */
  readonly Versions: readonly { readonly Name: VersionName; readonly FundsBaseUrl?: string }[];
  /** The endpoints of each product. */
  readonly Products: Readonly<Record<string, readonly string[]>>;
  readonly RefusedPermissions: readonly string[];
  readonly AuthenticationWindow: {
    readonly Seconds: number;
    /** These answer outside of the window. */
    readonly ExemptEndpoints: readonly string[];
    readonly ExemptInRecentHistory: readonly string[];
    readonly RecentHistoryDays: number;
  };
  readonly Events: { readonly Issuer: string; readonly KeysUrl: string };
}

export type ServedVersion = ReturnType<typeof versionsNamed>[number];

/** The versions of the API that the gateway serves, the oldest first, or the one of this name among them. */
export function servedVersions(
  { Versions }: Pick<PublishedFacts, 'Versions'>,
  name?: VersionName,
): readonly ServedVersion[] {
  const served = versionsNamed(Versions.map(({ Name }) => Name));
  const named = served.filter((version) => name === undefined || version.name === name);
  if (named.length > 0) return named;
  throw new FaultyStart(`the bank does not serve ${name}: take ${served.map((version) => version.name).join(' or ')}`);
}

/** As {@link servedVersions}, for confirmation of funds, which a bank need not offer. */
export function servedFundsVersions(
  facts: Pick<PublishedFacts, 'Versions'>,
  name?: VersionName,
): readonly ServedVersion[] {
  if (facts.Versions.some(({ FundsBaseUrl }) => FundsBaseUrl !== undefined)) return servedVersions(facts, name);
  throw new FaultyStart('the bank does not offer confirmation of funds: its profile has no fundsConfirmation');
}
