import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Clock } from '../clock/clock.js';
import { tokenAlgorithms } from '../config/config.js';
import { unavailable } from '../open-banking/common-errors.js';
import { OpenBankingError } from '../open-banking/errors.js';
import type { RefusalReason } from '../open-banking/reasons.js';
import type { Rule } from '../open-banking/rules.js';
import type { RequestCheck } from '../request/checks.js';
import type { AccessToken } from '../request/request-context.js';
import { ClientCertificates } from './tls/client-certificate.js';
import { InvalidProof, verifyProof } from './tokens/dpop-proof.js';
import { ProofStore } from './tokens/proof.store.js';
import { InvalidToken } from './tokens/token-claims.js';
import { TokenVerifier } from './tokens/token-verifier.js';
import { FailedIssuerQueries } from './tokens/failed-issuer-queries.js';

type Scheme = 'Bearer' | 'DPoP';

/** A valid token, with the certificate or key that it is bound to. Sets `token`. */
@Injectable()
export class TppCheck implements RequestCheck {
  readonly name = 'token';

  constructor(
    private readonly tokens: TokenVerifier,
    private readonly issuerQueries: FailedIssuerQueries,
    private readonly certificates: ClientCertificates,
    private readonly proofs: ProofStore,
    private readonly clock: Clock,
  ) {}

  async check(request: FastifyRequest): Promise<void> {
    const { scheme, token } = this.given(request);
    try {
      const accessToken = await this.tokens.verify(token, this.issuerQueries.limitFor(request.raw));
      if (scheme === 'DPoP') await this.prove(request, accessToken, token);
      this.accept(request, accessToken, scheme);
    } catch (error) {
      throw refusal(error, scheme);
    }
  }

  /** The same once more, after the body. A proof is good for one use, and was used. */
  readonly afterBody: RequestCheck = {
    name: this.name,
    check: async (request) => {
      const { scheme, token } = this.given(request);
      await this.tokens.verify(token, this.issuerQueries.limitFor(request.raw)).catch((error: unknown) => {
        throw refusal(error, scheme);
      });
    },
  };

  private given({ headers: { authorization } }: FastifyRequest): { readonly scheme: Scheme; readonly token: string } {
    const [, scheme, token] = /^(bearer|dpop) +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization ?? '') ?? [];
    if (authorization === undefined) throw unauthorised(undefined, 'token-missing', this.schemes());
    if (scheme === undefined || token === undefined)
      throw unauthorised('the header is not a bearer token', 'token-missing', ['Bearer'], 'invalid_token', 'bearer');
    return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token };
  }

  private schemes(): readonly Scheme[] {
    return this.tokens.takesProofs ? ['Bearer', 'DPoP'] : ['Bearer'];
  }

  private accept(request: FastifyRequest, token: AccessToken, scheme: Scheme): void {
    // RFC 9449, section 7.1: a token that was stolen from its key's owner must not pass as a plain one.
    if (token.keyThumbprint !== undefined && scheme === 'Bearer')
      throw new InvalidToken('the token is bound to a key: send it with the scheme DPoP and a proof', 'proof-missing');
    // A thumbprint is not secret: the proof is the TLS handshake.
    if (token.certificateThumbprint !== undefined) {
      const presented = this.certificates.trusted(request.raw);
      if (presented === undefined)
        throw new InvalidToken(
          this.certificates.presented(request.raw) === undefined
            ? 'the token is bound to a certificate, and the request came with none'
            : 'the certificate is revoked, or the bank cannot check whether it is',
          'certificate-missing',
        );
      if (presented.thumbprint !== token.certificateThumbprint)
        throw new InvalidToken('the token is bound to another certificate', 'certificate-of-another');
    }
    request.context.token = token;
    request.context.isProven = true;
  }

  private async prove(request: FastifyRequest, token: AccessToken, accessToken: string): Promise<void> {
    if (token.keyThumbprint === undefined)
      throw new InvalidToken('the token is not bound to a key: send it with the scheme Bearer');
    const [header, ...more] = request.raw.headersDistinct['dpop'] ?? [];
    if (header === undefined || more.length > 0) throw new InvalidProof('one DPoP header is needed', 'proof-missing');
    const proof = await verifyProof(
      header,
      {
        method: request.method,
        url: request.context.linkBase() + pathOf(request),
        accessToken,
        keyThumbprint: token.keyThumbprint,
      },
      this.clock.nowMs(),
    );
    const first = await this.proofs.use(proof.id, new Date(proof.expiresAtMs)).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (!first) throw new InvalidProof('the proof was used before');
  }
}

/** As the route has it: the request target may be encoded or absolute, and is asked only where there is no route. */
function pathOf(request: FastifyRequest): string {
  const route = request.is404 ? undefined : request.routeOptions.url;
  if (route === undefined) return (request.raw.url ?? '').split('?', 1).join();
  const parameters = (request.params ?? {}) as Readonly<Record<string, string | undefined>>;
  return route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}

function refusal(error: unknown, scheme: Scheme): unknown {
  if (!(error instanceof InvalidToken)) return error;
  const code = error instanceof InvalidProof ? 'invalid_dpop_proof' : 'invalid_token';
  return unauthorised(error.message, error.reason, [scheme], code);
}

/** The scheme that goes with the token of a request. */
export function schemeOf(token: AccessToken): readonly Scheme[] {
  return [token.keyThumbprint === undefined ? 'Bearer' : 'DPoP'];
}

/**
 * 401 with a challenge for each scheme (RFC 6750, section 3; RFC 9449, section 7.1):
 * no error code when no credential was sent.
 */
export function unauthorised(
  description: string | undefined,
  reason: RefusalReason,
  schemes: readonly Scheme[] = ['Bearer'],
  code: 'invalid_token' | 'invalid_dpop_proof' = 'invalid_token',
  rule: Rule | undefined = reason === 'token-missing' ? 'required' : undefined,
): OpenBankingError {
  const challenge = schemes
    .flatMap((scheme) => [
      `${scheme} realm="account-information"`,
      ...(description === undefined ? [] : [`error="${code}"`, `error_description="${description}"`]),
      ...(scheme === 'DPoP' ? [`algs="${tokenAlgorithms.join(' ')}"`] : []),
    ])
    .join(', ');
  return new OpenBankingError(
    reason === 'token-expired' ? 'token-expired' : 'unauthorised',
    { message: 'A valid access token is required.', ...(rule && { field: 'header:Authorization', rule }) },
    { headers: { 'www-authenticate': challenge }, reason },
  );
}
