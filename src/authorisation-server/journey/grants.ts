import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { scopeOfKind } from '../../open-banking/scopes.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { CurrentProvider } from '../oidc/current-provider.js';
import { intentClaim } from '../oidc/intent.policy.js';
import type { JourneyContext } from './journey-context.js';

/** The lifetime of the authorisation of an open-ended consent: the library needs an end. */
const openEndedSeconds = 100 * 365 * 86_400;

/** Makes the library's grants, one for each authorisation. */
@Injectable()
export class Grants {
  constructor(
    private readonly provider: CurrentProvider,
    private readonly settings: AuthorisationSettings,
  ) {}

  /** Saves the grant before the consent names it: a grant that a consent names must exist. */
  async save(
    { interaction, consent }: JourneyContext,
    nowMs: number,
  ): Promise<{ readonly authorisationId: string; discard(): Promise<void> }> {
    const grant = new (this.provider.get().Grant)({
      clientId: String(interaction.params['client_id']),
      accountId: consent.consentId,
    });
    grant.jti = randomUUID();
    grant.exp = Math.floor((consent.expires?.atMs ?? nowMs) / 1_000) + (consent.expires ? 0 : openEndedSeconds);
    grant.addOIDCScope('openid');
    grant.addOIDCClaims([intentClaim, 'acr', 'auth_time']);
    grant.addResourceScope(this.settings.config.tpp.url, scopeOfKind[consent.kind]);
    const authorisationId = await grant.save();
    return { authorisationId, discard: () => grant.destroy() };
  }
}
