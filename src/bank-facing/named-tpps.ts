import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { AUTHORISATION_SERVER } from '../authorisation-server/embedded-authorisation-server.module.js';
import type { Tpp } from '../authorisation-server/tpps/tpp.store.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { embeddedIssuer, tppId, type TppId } from '../open-banking/tpp-id.js';
import { TokenVerifier } from '../security/tokens/token-verifier.js';
import { clientId } from './bank-facing.schema.js';

/** `?issuer=`. */
export const IssuerQuery = Type.Object(
  {
    issuer: Type.Optional(
      clientId(
        `The issuer of the TPP's tokens, by its configured name, or \`${embeddedIssuer}\` for the embedded authorization ` +
          'server. Needed where several issuers are configured.',
      ),
    ),
  },
  { additionalProperties: false },
);

export interface NamedTppRequest {
  Params: { clientId: string };
  Querystring: Static<typeof IssuerQuery>;
}

/** Finds the TPP that a request to the bank's port names by client id and, where several issuers are configured, by issuer. */
@Injectable()
export class NamedTpps {
  constructor(
    private readonly tokens: TokenVerifier,
    @Inject(AUTHORISATION_SERVER) private readonly embedded: AuthorisationServer | undefined,
  ) {}

  /**
   * Names the TPP in the access record.
   * @throws OpenBankingError as {@link named}; nothing was changed then
   */
  async find({ context, params, query }: FastifyRequest<NamedTppRequest>): Promise<TppId> {
    const tpp = await this.named(params.clientId, query.issuer);
    context.tpp = tpp;
    return tpp;
  }

  /**
   * A TPP of another authorization server may be named before the gateway knows it. The embedded one knows all its TPPs.
   * @throws OpenBankingError where the issuer is needed or not configured, or the embedded one never had the TPP
   */
  async named(clientId: string, asked: string | undefined): Promise<TppId> {
    const configured = [...(this.embedded ? [embeddedIssuer] : []), ...this.tokens.configuredIssuers];
    const issuer = asked ?? (configured.length === 1 ? configured[0] : undefined);
    if (issuer === undefined || !configured.includes(issuer)) throw issuerNeeded(configured);
    if (issuer === embeddedIssuer && (await this.embedded?.tpps.find(clientId)) === undefined)
      throw new OpenBankingError('path-unknown', { message: 'No TPP is registered under this client id.' });
    return tppId(issuer, clientId);
  }

  /** The registration of a TPP of the embedded authorization server. */
  async registration({ issuer, clientId }: TppId): Promise<Tpp | undefined> {
    const tpp = issuer === embeddedIssuer ? await this.embedded?.tpps.find(clientId) : undefined;
    return tpp?.status === 'deleted' ? undefined : tpp;
  }
}

function issuerNeeded(configured: readonly string[]): OpenBankingError {
  return new OpenBankingError('field-invalid', {
    message:
      'Nothing was changed: name the issuer of the TPP, by the parameter issuer or in a command by --issuer ISSUER. ' +
      `The configured issuers are: ${configured.join(', ')}.`,
    path: 'issuer',
  });
}
