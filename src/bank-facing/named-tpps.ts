import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { AUTHORISATION_SERVER } from '../authorisation-server/embedded-authorisation-server.module.js';
import type { Tpp } from '../authorisation-server/tpps/tpp.store.js';
import { TppWithdrawalService } from '../consents/tpp-withdrawal.service.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { embeddedIssuer, tppId, type TppId } from '../open-banking/tpp-id.js';
import { TokenVerifier } from '../security/tokens/token-verifier.js';
import { clientId } from './bank-facing.schema.js';
import { issuerOf, type Naming } from './tpp-naming.policy.js';

/** `?issuer=`. */
export const IssuerQuery = Type.Object(
  {
    issuer: Type.Optional(
      clientId(
        `The issuer of the TPP's tokens, by its configured name, or \`${embeddedIssuer}\` for the embedded authorization ` +
          'server. Needed where several issuers may have a TPP with this client id.',
      ),
    ),
  },
  { additionalProperties: false },
);

export interface NamedTppRequest {
  Params: { clientId: string };
  Querystring: Static<typeof IssuerQuery>;
}

/** Finds the TPP that a request to the bank's port names by client id and, where that is ambiguous, by issuer. */
@Injectable()
export class NamedTpps {
  constructor(
    private readonly withdrawals: TppWithdrawalService,
    private readonly tokens: TokenVerifier,
    @Inject(AUTHORISATION_SERVER) private readonly embedded: AuthorisationServer | undefined,
  ) {}

  /**
   * Names the TPP in the access record.
   * @throws OpenBankingError where the TPP is unknown or in doubt; nothing was changed then
   */
  async find({ context, params, query }: FastifyRequest<NamedTppRequest>): Promise<TppId> {
    const tpp = await this.named(params.clientId, query.issuer);
    context.tpp = tpp;
    return tpp;
  }

  /** @throws OpenBankingError where the TPP is unknown or in doubt */
  async named(clientId: string, asked: string | undefined): Promise<TppId> {
    const registered = await this.registration(tppId(embeddedIssuer, clientId));
    const known = await this.withdrawals.issuersOf(clientId);
    const naming = issuerOf(asked, registered === undefined ? known : [...new Set([embeddedIssuer, ...known])], [
      ...(this.embedded ? [embeddedIssuer] : []),
      ...this.tokens.configuredIssuers,
    ]);
    if (!('issuer' in naming)) throw refusal(naming);
    return tppId(naming.issuer, clientId);
  }

  /** The registration of a TPP of the embedded authorization server. */
  async registration({ issuer, clientId }: TppId): Promise<Tpp | undefined> {
    const tpp = issuer === embeddedIssuer ? await this.embedded?.tpps.find(clientId) : undefined;
    return tpp?.status === 'deleted' ? undefined : tpp;
  }

  /** Changes the registration, where the TPP has one here. */
  async setStatus({ issuer, clientId }: TppId, status: 'active' | 'suspended'): Promise<void> {
    if (issuer === embeddedIssuer) await this.embedded?.tpps.setStatus(clientId, status);
  }
}

function refusal({ fault, issuers }: Extract<Naming, { fault: string }>): OpenBankingError {
  if (fault === 'unknown') return unknownTpp(issuers);
  return new OpenBankingError('field-invalid', {
    message:
      'More than one issuer may have a TPP with this client id. Nothing was changed: name its issuer with the query ' +
      `parameter issuer, or in a command with --issuer. ${listOf(issuers)}`,
    path: 'issuer',
  });
}

function unknownTpp(issuers: readonly string[]): OpenBankingError {
  return new OpenBankingError('path-unknown', {
    message: `No TPP is registered under this client id.${issuers.length > 0 ? ` Where it is another issuer's, name the issuer. ${listOf(issuers)}` : ''}`,
  });
}

function listOf(issuers: readonly string[]): string {
  return `The issuers are: ${issuers.join(', ')}.`;
}
