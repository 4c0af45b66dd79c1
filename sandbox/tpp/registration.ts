import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { sandboxSoftwareId, sandboxSoftwareName } from '../directory/software.js';
import { unusable } from '../faulty-start.js';
import { type SandboxPki, readJwk } from '../pki/kept-pki.js';
import type { SandboxConfig } from '../sandbox.config.js';
import type { BankSettings } from './bank.client.js';

/** A TPP as a bank knows it: RFC 7591 metadata under the name that customers are shown. */
export interface Registration {
  readonly clientId: string;
  readonly name: string;
  readonly status: 'active';
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Where the bank sends customers back to. */
export function redirectUri(tppOrigin: string): string {
  return `${tppOrigin}/callback`;
}

/**
 * How the sandbox's own TPP is registered with the gateway; nothing else knows. It is by a file of registrations that
 * the gateway reads, with the directory's id of the software as the client's id.
 */
export async function registerTpp(dataDir: string, pki: SandboxPki, tppOrigin: string): Promise<{ file: string }> {
  const file = join(dataDir, 'sandbox', 'tpps.json');
  const signingKey = await readJwk(pki.tppSigningKeyFile);
  try {
    await writeFile(file, JSON.stringify([registration(signingKey, tppOrigin)], undefined, 2), { mode: 0o600 });
  } catch (error) {
    throw unusable(file, error);
  }
  return { file };
}

export const clientId = sandboxSoftwareId;

/** What the TPP has to know of the bank. */
export function bankSettings({ browserUrl, mtlsUrl, tppUrl }: SandboxConfig): BankSettings {
  return { issuer: `${browserUrl}/as`, tppUrl: mtlsUrl, clientId, redirectUri: redirectUri(tppUrl) };
}

export function registration({ kty, n, e, alg, use, kid }: JWK, tppOrigin: string): Registration {
  return {
    clientId,
    name: sandboxSoftwareName,
    status: 'active',
    metadata: {
      client_id: clientId,
      client_name: sandboxSoftwareName,
      redirect_uris: [redirectUri(tppOrigin)],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'PS256',
      request_object_signing_alg: 'PS256',
      id_token_signed_response_alg: 'PS256',
      authorization_signed_response_alg: 'PS256',
      tls_client_certificate_bound_access_tokens: true,
      // Carried along: the bank does not fetch from addresses of its own network, which is where a sandbox is.
      jwks: { keys: [{ kty, n, e, alg, use, kid }] },
    },
  };
}
