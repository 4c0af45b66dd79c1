import type { X509Certificate } from 'node:crypto';
import type { JWK } from 'jose';
import type { Client, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { isCurrent, type ClientCertificate } from '../../security/tls/client-certificate.js';
import { subjectMatches } from '../tpps/registered-subject.js';
import type { Organisation } from '../tpps/software-statement.policy.js';
import { mayUse } from '../tpps/tpp.policy.js';
import { admitClient } from './admission.js';
import type { LibraryServices } from './provider-parts.js';

type Parts = Pick<LibraryServices, 'certificates' | 'clock' | 'limits'>;

/** Gives the library the TPP's certificate and compares it with the registered subject (RFC 8705). */
export function mutualTls(parts: Parts): NonNullable<NonNullable<Configuration['features']>['mTLS']> {
  return {
    enabled: true,
    certificateBoundAccessTokens: true,
    tlsClientAuth: true,
    selfSignedTlsClientAuth: true,
    getCertificate: (ctx) => {
      const certificate = acceptedCertificate(parts, ctx);
      const { client } = ctx.oidc;
      if (client !== undefined && isRegistered(certificate, client)) admitClient(parts, ctx, client);
      return certificate?.toString();
    },
    certificateAuthorized: (ctx) => isTrusted(parts, parts.certificates.trusted(ctx.req)),
    certificateSubjectMatches: (ctx, property, expected) => {
      const { client } = ctx.oidc;
      const matches = subjectMatches(parts.certificates.trusted(ctx.req)?.certificate, property, expected);
      if (matches && client !== undefined) admitClient(parts, ctx, client);
      return matches;
    },
  };
}

function isTrusted({ clock }: Parts, presented: ClientCertificate | undefined): boolean {
  return presented?.issued === true && isCurrent(presented, clock.nowMs());
}

/**
 * The certificate to bind to and to compare with. It must come from an accepted authority, unless the client registered
 * the certificate itself; then it must at least be within its time. It must be of the client's organisation.
 */
function acceptedCertificate(parts: Parts, ctx: KoaContextWithOIDC): X509Certificate | undefined {
  const presented = parts.certificates.trusted(ctx.req);
  const { client } = ctx.oidc;
  if (presented === undefined || !isCurrent(presented, parts.clock.nowMs())) return undefined;
  if (client !== undefined && isForeign(parts, ctx, client)) return undefined;
  return presented.issued || client?.clientAuthMethod === 'self_signed_tls_client_auth'
    ? presented.certificate
    : undefined;
}

/** Whether the client registered this very certificate, as the library compares it (RFC 8705, section 2.2). */
function isRegistered(certificate: X509Certificate | undefined, { clientAuthMethod, jwks }: Client): boolean {
  if (certificate === undefined || clientAuthMethod !== 'self_signed_tls_client_auth') return false;
  const keys = (jwks?.keys ?? []) as readonly JWK[];
  return keys.some(({ x5c: [first = ''] = [] }) => certificate.raw.equals(Buffer.from(first, 'base64')));
}

/** Whether the request came with a certificate of another organisation than the client's. */
export function isForeign(
  { certificates }: Pick<Parts, 'certificates'>,
  ctx: Pick<KoaContextWithOIDC, 'req'>,
  client: Client,
): boolean {
  const presented = certificates.trusted(ctx.req);
  return presented !== undefined && !mayUse(presented.certificate, client['organisation'] as Organisation | undefined);
}
