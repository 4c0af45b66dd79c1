import type { FastifyRequest } from 'fastify';
import { OpenBankingError } from '../open-banking/errors.js';
import type { AccessToken } from '../http/request-context.js';
import type { ClientCertificates } from './client-certificate.js';
import { InvalidToken, type TokenVerifier } from './token-verifier.js';

/** Check 2 of the guards' order: a valid token, with the certificate that it is bound to. Sets `request.token`. */
export class TppGuard {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly certificates: ClientCertificates,
  ) {}

  readonly check = (request: FastifyRequest): void | Promise<void> => {
    const jwt = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (jwt === undefined)
      throw unauthorised(request.headers.authorization === undefined ? undefined : 'the header is not a bearer token');
    try {
      const verified = this.tokens.verify(jwt);
      if (!(verified instanceof Promise)) return this.bind(request, verified);
      return verified.then(
        (token) => this.bind(request, token),
        (error: unknown) => {
          throw refusal(error);
        },
      );
    } catch (error) {
      throw refusal(error);
    }
  };

  private bind(request: FastifyRequest, token: AccessToken): void {
    // A thumbprint is no secret: the proof is the TLS handshake.
    if (
      token.certificateThumbprint !== undefined &&
      this.certificates.thumbprint(request) !== token.certificateThumbprint
    )
      throw unauthorised('the token is bound to another certificate');
    request.token = token;
  }
}

function refusal(error: unknown): unknown {
  return error instanceof InvalidToken ? unauthorised(error.message) : error;
}

/** 401 without a body (standard-facts 5); RFC 6750, section 3: no error code when no credential was sent. */
export function unauthorised(reason: string | undefined): OpenBankingError {
  const challenge = 'Bearer realm="account-information"';
  return new OpenBankingError(
    'unauthorised',
    { message: 'A valid access token is required.' },
    {
      headers: {
        'www-authenticate':
          reason === undefined ? challenge : `${challenge}, error="invalid_token", error_description="${reason}"`,
      },
    },
  );
}
