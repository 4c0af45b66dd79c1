import { SignJWT } from 'jose';
import type { ClientAuthentication, Signer } from './bank-connection.js';

/** A software statement of the directory, and the id of the software that it describes. */
export interface SoftwareStatement {
  readonly id: string;
  readonly statement: string;
}

/** The version of FAPI by which a TPP asks for authorisation. */
export type FapiVersion = '1' | '2';

/** The contents of a registration request. */
export interface Registration {
  readonly issuer: string;
  readonly redirectUri: string;
  readonly fapi: FapiVersion;
  readonly auth?: ClientAuthentication;
  /** The subject of the TPP's certificate, in the form of RFC 4514. */
  readonly subject: string;
}

const lifeSeconds = 300;

/** The signed request of Open Banking Dynamic Client Registration 3.3. */
export function registrationRequest(
  software: SoftwareStatement,
  { issuer, redirectUri, fapi, auth, subject }: Registration,
  signer: Signer,
  nowMs: number,
): Promise<string> {
  const nowSeconds = Math.floor(nowMs / 1000);
  return new SignJWT({
    redirect_uris: [redirectUri],
    ...(auth === 'certificate'
      ? { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: subject }
      : { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'PS256' }),
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types: ['code'],
    application_type: 'web',
    id_token_signed_response_alg: 'PS256',
    request_object_signing_alg: 'PS256',
    ...(fapi === '2' && { fapi_profile: '2.0' }),
    software_id: software.id,
    software_statement: software.statement,
  })
    .setProtectedHeader({ alg: 'PS256', typ: 'JWT', kid: signer.kid })
    .setIssuer(software.id)
    .setAudience(issuer)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + lifeSeconds)
    .setJti(crypto.randomUUID())
    .sign(signer.key);
}
