import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { embeddedIssuer } from '../../open-banking/tpp-id.js';
import type { ClientCertificate } from '../../security/tls/client-certificate.js';
import { TppStandingStore } from '../../security/tpp-standing.store.js';
import { subjectMatches } from './registered-subject.js';
import { TppKeySets } from './tpp-key-sets.js';
import { certifiedOrganisation, inGoodStanding, mayUse } from './tpp.policy.js';
import { TppStore, type Tpp } from './tpp.store.js';

/** A registered TPP to which a certificate belongs. */
export interface CertificateOwner {
  readonly tpp: Tpp;
  /** `suspended` by the bank; `lapsed`: the directory no longer confirms it, or its statement has expired. */
  readonly standing: 'active' | 'suspended' | 'lapsed';
}

const subjectMembers = [
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
] as const;

/** Finds the registered TPPs to which a certificate belongs. */
@Injectable()
export class CertificateOwners {
  constructor(
    private readonly tpps: TppStore,
    private readonly standings: TppStandingStore,
    private readonly keySets: TppKeySets,
  ) {}

  /**
   * Those that registered the certificate itself; and, where an accepted authority issued it, those that registered its
   * subject, and the software of its organisation. Anyone can write a name into a certificate of no authority.
   */
  async of(presented: ClientCertificate, nowMs: number): Promise<readonly CertificateOwner[]> {
    const owners = (await this.tpps.list()).filter((tpp) => this.belongs(presented, tpp));
    if (owners.length === 0) return [];
    const suspended = new Set(
      (await this.standings.list())
        .filter(({ tpp, standing }) => tpp.issuer === embeddedIssuer && standing.suspendedAt !== undefined)
        .map(({ tpp }) => tpp.clientId),
    );
    return owners.map((tpp) => ({ tpp, standing: standingOf(tpp, suspended.has(tpp.clientId), nowMs) }));
  }

  private belongs({ certificate, thumbprint, issued }: ClientCertificate, tpp: Tpp): boolean {
    const { metadata, software } = tpp;
    if (metadata.token_endpoint_auth_method === 'self_signed_tls_client_auth')
      return this.keysOf(tpp).some((key) => thumbprintOf(key) === thumbprint);
    if (!issued || !mayUse(certificate, certifiedOrganisation(tpp))) return false;
    const registered = subjectMembers.find((member) => typeof metadata[member] === 'string');
    if (registered !== undefined) return subjectMatches(certificate, registered, metadata[registered] as string);
    return software !== undefined;
  }

  /** A key set at a `jwks_uri` counts where it was fetched in the last minutes: no stranger makes the gateway fetch. */
  private keysOf({ metadata }: Tpp): readonly object[] {
    const { jwks, jwks_uri: url } = metadata;
    return jwks?.keys ?? (url === undefined ? undefined : this.keySets.cached(url)?.keys) ?? [];
  }
}

function standingOf(tpp: Tpp, isSuspended: boolean, nowMs: number): CertificateOwner['standing'] {
  if (isSuspended || tpp.status !== 'active') return 'suspended';
  return inGoodStanding(tpp, nowMs) ? 'active' : 'lapsed';
}

function thumbprintOf(key: object): string | undefined {
  const { x5c, 'x5t#S256': stated } = key as { x5c?: readonly string[]; 'x5t#S256'?: string };
  const [der] = x5c ?? [];
  return der === undefined ? stated : createHash('sha256').update(Buffer.from(der, 'base64')).digest('base64url');
}
