import type { Consent } from '../../consents/consent.js';
import type { TppId } from '../../open-banking/tpp-id.js';
import type { Permission } from '../../open-banking/permissions.js';
import type { Profile } from '../../profiles/profile.js';
import { endpoints } from '../../resources/endpoints.js';
import type { AccessRequest } from '../pages/customer-pages.js';
import { permissionClusters } from '../pages/permission-words.js';
import type { Tpp } from '../tpps/tpp.store.js';

/** The request of a consent, as the pages show it: without permissions that open nothing in this profile. */
export function accessRequest(
  consent: Consent,
  tpp: AccessRequest['tpp'],
  profile: Pick<Profile, 'endpoints'>,
): AccessRequest {
  const { kind, permissions, expires, transactionsFrom, transactionsTo } = consent;
  return {
    tpp,
    ...(kind === 'funds-confirmation' && { forFunds: true }),
    clusters: permissionClusters(servedPermissions(permissions, profile)),
    ...(expires && { expiresAt: new Date(expires.atMs) }),
    ...(transactionsFrom && { transactionsFrom: new Date(transactionsFrom.atMs) }),
    ...(transactionsTo && { transactionsTo: new Date(transactionsTo.atMs) }),
  };
}

/** The permissions that open an endpoint of the profile. A consent may name others, which open nothing. */
export function servedPermissions(
  asked: readonly Permission[],
  profile: Pick<Profile, 'endpoints'>,
): readonly Permission[] {
  const served = endpoints.filter(({ name }) => profile.endpoints[name] !== undefined);
  const opening = new Set<Permission>(served.flatMap(({ permissions }) => permissions.flat()));
  return asked.filter((code) => opening.has(code));
}

/** The TPP as customers know it; one that is not registered here has no name. */
export function shownTpp({ key }: TppId, tpp: Tpp | undefined): AccessRequest['tpp'] {
  return { id: key, ...(tpp && { name: tpp.name }), ...(tpp?.agent !== undefined && { agent: tpp.agent }) };
}
