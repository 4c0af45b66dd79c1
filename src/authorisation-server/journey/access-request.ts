import type { Consent } from '../../consents/consent.js';
import { permissionClusters, type AccessRequest } from '../pages/customer-pages.js';
import type { Tpp } from '../tpps/tpp.store.js';

/** The request of a consent, as the pages show it. */
export function accessRequest(consent: Consent, tpp: AccessRequest['tpp']): AccessRequest {
  const { permissions, expires, transactionsFrom, transactionsTo } = consent;
  return {
    tpp,
    clusters: permissionClusters(permissions),
    ...(expires && { expiresAt: new Date(expires.atMs) }),
    ...(transactionsFrom && { transactionsFrom: new Date(transactionsFrom.atMs) }),
    ...(transactionsTo && { transactionsTo: new Date(transactionsTo.atMs) }),
  };
}

/**
 * The TPP as customers know it; one that is not registered here has no other name than its client id.
 * @param logos where those of TPPs are, by their client ids
 */
export function shownTpp(
  clientId: string,
  tpp: Tpp | undefined,
  logos: ReadonlyMap<string, string> = new Map(),
): AccessRequest['tpp'] {
  const logo = logos.get(clientId);
  return { name: tpp?.name ?? clientId, ...(logo !== undefined && { logo }) };
}
