import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT, type CryptoKey, type JWK } from 'jose';
import { request, type Agent } from 'undici';

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** An authorization server's token endpoint, asked for client-credentials tokens with `private_key_jwt`. */
export class TokenEndpoint {
  private constructor(
    private readonly url: string,
    private readonly issuer: string,
    private readonly clientId: string,
    private readonly signer: { readonly key: CryptoKey; readonly kid: string | undefined },
    private readonly agent: Agent,
  ) {}

  /** @param agent has the TPP's certificate, to which the tokens are bound */
  static async find(issuer: string, clientId: string, jwk: JWK, agent: Agent): Promise<TokenEndpoint> {
    const response = await fetch(`${issuer}/.well-known/openid-configuration`);
    const metadata = (await response.json()) as { mtls_endpoint_aliases?: { token_endpoint?: string } };
    const url = metadata.mtls_endpoint_aliases?.token_endpoint;
    if (url === undefined) throw new Error(`${issuer} names no token endpoint for mutual TLS`);
    const signer = { key: (await importJWK(jwk, 'PS256')) as CryptoKey, kid: jwk.kid };
    return new TokenEndpoint(url, issuer, clientId, signer, agent);
  }

  /** Each is good for one request, within five minutes. */
  assertions(count: number): Promise<string[]> {
    const { issuer, clientId, signer } = this;
    return Promise.all(
      Array.from({ length: count }, () =>
        new SignJWT()
          .setProtectedHeader({ alg: 'PS256', ...(signer.kid !== undefined && { kid: signer.kid }) })
          .setIssuer(clientId)
          .setSubject(clientId)
          .setAudience(issuer)
          .setJti(randomUUID())
          .setIssuedAt()
          .setExpirationTime('5m')
          .sign(signer.key),
      ),
    );
  }

  /** A new access token of the refresh token. Throws for any answer but a token. */
  async refresh(assertion: string, refreshToken: string): Promise<string> {
    const { statusCode, body } = await request(this.url, {
      dispatcher: this.agent,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_assertion_type: assertionType,
        client_assertion: assertion,
      }).toString(),
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`the token endpoint answered ${statusCode}: ${text}`);
    return (JSON.parse(text) as { access_token: string }).access_token;
  }
}
