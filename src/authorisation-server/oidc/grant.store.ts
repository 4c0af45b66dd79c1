import { Injectable } from '@nestjs/common';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { BankClock } from '../../clock/clock.js';
import { consentOfAuthorisation } from '../../consents/authorisation-id.js';
import type { Consent } from '../../consents/consent.js';
import { ConsentService } from '../../consents/consent.service.js';
import { type LiveConsent, LiveConsents } from '../../consents/live-consents.js';
import { stored } from '../../consents/stored.js';
import { scopeOfKind } from '../../open-banking/scopes.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { intentClaim } from './intent.policy.js';

/** The lifetime of the authorisation of an open-ended consent: the library needs an end. */
const openEndedMs = 100 * 365 * 86_400_000;

/**
 * Gives the library the customers' authorisations as its grants. It stores none: the consent's row says which
 * authorisations are good, and all else follows from the consent.
 */
@Injectable()
export class GrantStore implements Adapter {
  readonly upsert = refuse;
  readonly consume = refuse;
  readonly findByUid = refuse;
  readonly findByUserCode = refuse;
  readonly revokeByGrantId = refuse;

  constructor(
    private readonly live: LiveConsents,
    private readonly consents: ConsentService,
    private readonly clock: BankClock,
    private readonly settings: AuthorisationSettings,
  ) {}

  async find(id: string): Promise<AdapterPayload | undefined> {
    const isOf = ({ consent: { authorisation } }: LiveConsent): boolean =>
      id === authorisation?.authorisationId || id === authorisation?.nextAuthorisationId;
    const found = await stored(this.live.find(consentOfAuthorisation(id), isOf));
    return found && isOf(found)
      ? grantOf(found.consent, id, this.settings.config.tpp.url, this.clock.nowMs())
      : undefined;
  }

  destroy(id: string): Promise<void> {
    return this.consents.endAuthorisation(id);
  }
}

/** @param resource that the tokens are for */
function grantOf(
  { consentId, tpp, kind, expires }: Consent,
  jti: string,
  resource: string,
  nowMs: number,
): AdapterPayload {
  return {
    kind: 'Grant',
    jti,
    accountId: consentId,
    clientId: tpp.clientId,
    exp: Math.floor((expires?.atMs ?? nowMs + openEndedMs) / 1_000),
    openid: { scope: 'openid', claims: [intentClaim, 'acr', 'auth_time'] },
    resources: { [resource]: scopeOfKind[kind] },
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('an authorisation is stored with its consent, not by the library'));
}
