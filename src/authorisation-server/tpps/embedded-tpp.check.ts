import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Clock } from '../../clock/clock.js';
import { unavailable } from '../../open-banking/common-errors.js';
import type { RefusalReason } from '../../open-banking/reasons.js';
import { embeddedIssuer } from '../../open-banking/tpp-id.js';
import type { RequestCheck } from '../../request/checks.js';
import { ClientCertificates } from '../../security/tls/client-certificate.js';
import { unauthorised } from '../../security/tpp.check.js';
import { certifiedOrganisation, inGoodStanding, mayUse } from './tpp.policy.js';
import { TppStore, type Tpp } from './tpp.store.js';

/**
 * After the token of a request to the API was found good: the token is bound where certificates are asked for, and the TPP
 * of a token of ours is in good standing and came with a certificate of its organisation.
 */
@Injectable()
export class EmbeddedTppCheck implements RequestCheck {
  readonly name = 'token';

  constructor(
    private readonly tpps: TppStore,
    private readonly certificates: ClientCertificates,
    private readonly clock: Clock,
  ) {}

  async check({ context, raw }: FastifyRequest): Promise<void> {
    const token = context.verifiedToken();
    const isBound = token.certificateThumbprint !== undefined || token.keyThumbprint !== undefined;
    if (context.asksForCertificate && !isBound)
      throw unauthorised('the token is not bound to a certificate or a key', 'token-unbound');
    if (token.tpp.issuer !== embeddedIssuer) return;
    const presented = this.certificates.trusted(raw);
    const refusalOf = (tpp: Tpp | undefined): Refusal | undefined => {
      if (tpp === undefined || !inGoodStanding(tpp, this.clock.nowMs()))
        return ['the TPP is not registered, or its software statement has ended', 'tpp-not-registered'];
      if (presented !== undefined && !mayUse(presented.certificate, certifiedOrganisation(tpp)))
        return [
          'the certificate does not belong to the organisation of the software statement',
          'certificate-of-another',
        ];
      return undefined;
    };
    const tpp = await this.tpps
      .findForCheck(token.tpp.clientId, (cached) => refusalOf(cached) === undefined)
      .catch((error: unknown) => {
        throw unavailable(error);
      });
    const refusal = refusalOf(tpp);
    if (refusal !== undefined) throw unauthorised(...refusal);
  }
}

type Refusal = readonly [description: string, reason: RefusalReason];
