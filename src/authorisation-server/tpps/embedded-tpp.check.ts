import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Clock } from '../../clock/clock.js';
import { unavailable } from '../../open-banking/common-errors.js';
import { embeddedIssuer } from '../../open-banking/tpp-id.js';
import type { RequestCheck } from '../../request/checks.js';
import { unauthorised } from '../../security/tpp.check.js';
import { inGoodStanding } from './tpp.policy.js';
import { TppStore, type Tpp } from './tpp.store.js';

/**
 * After the token of a request to the API was found good: the token is bound where certificates are asked for, and the TPP
 * of a token of ours is in good standing.
 */
@Injectable()
export class EmbeddedTppCheck implements RequestCheck {
  readonly name = 'token';

  constructor(
    private readonly tpps: TppStore,
    private readonly clock: Clock,
  ) {}

  async check({ context }: FastifyRequest): Promise<void> {
    const token = context.verifiedToken();
    const isBound = token.certificateThumbprint !== undefined || token.keyThumbprint !== undefined;
    if (context.asksForCertificate && !isBound) throw unauthorised('the token is bound to nothing', 'token-unbound');
    if (token.tpp.issuer !== embeddedIssuer) return;
    const isGood = (tpp: Tpp): boolean => inGoodStanding(tpp, this.clock.nowMs());
    const tpp = await this.tpps.findForCheck(token.tpp.clientId, isGood).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (tpp === undefined || !isGood(tpp))
      throw unauthorised('the TPP is suspended or not registered', 'tpp-not-registered');
  }
}
