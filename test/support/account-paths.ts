import type { Profile } from '../../src/profiles/profile.js';
import { endpointNames, type Endpoint } from '../../src/resources/endpoints.js';

/** Every path of one account that a profile serves, `GET /accounts/{AccountId}` first. */
export function accountPaths(profile: Pick<Profile, 'endpoints'>, accountId: string): string[] {
  return [`/accounts/${accountId}`, ...perAccount(profile).map((endpoint) => `/accounts/${accountId}/${endpoint}`)];
}

function perAccount(profile: Pick<Profile, 'endpoints'>): Endpoint[] {
  return endpointNames.filter((endpoint) => endpoint !== 'accounts' && profile.endpoints[endpoint] !== undefined);
}
