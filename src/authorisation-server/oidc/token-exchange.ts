import { Injectable } from '@nestjs/common';
import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { BankClock, Clock } from '../../clock/clock.js';
import { accessRefusal, type AccessRefusal } from '../../consents/access.policy.js';
import type { Consent } from '../../consents/consent.js';
import type { SameTransactionWrite } from '../../consents/authorisation.store.js';
import { ConsentService } from '../../consents/consent.service.js';
import { LiveConsents, type LiveConsent } from '../../consents/live-consents.js';
import { stored } from '../../consents/stored.js';
import { withReason } from '../listeners/refusal-reasons.js';
import { useCode } from './artefact.store.js';
import { intentClaim } from './intent.policy.js';

type Oidc = KoaContextWithOIDC['oidc'];

/** When the refresh token ends; absent where it does not (Read/Write Data API, security profile). */
export const refreshTokenEndClaim = 'http://openbanking.org.uk/refresh_token_expires_at';

/** The exchange of a code and the refresh of a token, as far as they concern the customer's consent. */
@Injectable()
export class TokenExchange {
  /** The consent of each token request, as soon as its tokens are permitted. */
  private readonly permitted = new WeakMap<Oidc, Consent>();

  constructor(
    private readonly consents: ConsentService,
    private readonly live: LiveConsents,
    private readonly clock: Clock,
    private readonly bankClock: BankClock,
  ) {}

  /** The claims of an access token about the consent; RFC 9068 defines the others. This method also checks whether a refresh is permitted. */
  async claims(oidc: Oidc, token: { kind: string }): Promise<Record<string, unknown> | undefined> {
    if (token.kind !== 'AccessToken') return undefined;
    const { AuthorizationCode: code, RefreshToken: refreshToken } = oidc.entities;
    const source = code ?? refreshToken;
    const authorisationId = source?.grantId;
    if (source?.accountId === undefined || authorisationId === undefined)
      throw new errors.InvalidGrant('the token has no consent');
    if (code === undefined) await this.permitRefresh(oidc, source.accountId, authorisationId);
    return {
      [intentClaim]: source.accountId,
      authorisation_id: authorisationId,
      // The time of the authentication and not of this token: a refresh must not open the window again.
      auth_time: source.authTime,
      acr: source.acr,
    };
  }

  /**
   * Uses the code of the present request up, makes its authorisation the current one and stores its refresh token: all of it or
   * nothing, so that a fault of the database costs the TPP neither its earlier tokens nor the code.
   * @param store stores the refresh token, if the client gets one
   */
  async complete(store?: SameTransactionWrite): Promise<void> {
    const oidc = Provider.ctx?.oidc;
    const { accountId, grantId, jti } = oidc?.entities.AuthorizationCode ?? {};
    if (oidc === undefined || accountId === undefined || grantId === undefined || jti === undefined)
      throw new Error('the request exchanges no code of a consent');
    const consent = await this.consents.beginAuthorisation(accountId, grantId, async (transaction) => {
      await useCode(transaction, jti, new Date(this.clock.nowMs()));
      await store?.(transaction);
    });
    if (consent === undefined) throw await this.refusal(accountId, grantId);
    this.permitted.set(oidc, consent);
  }

  /** {@link refreshTokenEndClaim} for the ID token that the token endpoint issues with a refresh token or for one. */
  refreshTokenEnd(oidc: Oidc): Record<string, number> {
    const { expires } = this.permitted.get(oidc) ?? {};
    if (expires === undefined || oidc.entities.RefreshToken === undefined) return {};
    return { [refreshTokenEndClaim]: Math.floor(expires.atMs / 1_000) };
  }

  /** By the row of the last second, as each read: the reads that follow a refresh then find the consent in memory. */
  private async permitRefresh(oidc: Oidc, consentId: string, authorisationId: string): Promise<void> {
    const nowMs = this.bankClock.nowMs();
    const isPermitted = ({ consent }: LiveConsent) => accessRefusal(consent, authorisationId, nowMs) === undefined;
    const live = await stored(this.live.find(consentId, isPermitted));
    if (live === undefined || !isPermitted(live)) throw await this.refusal(consentId, authorisationId);
    this.permitted.set(oidc, live.consent);
  }

  /** The reason is read after the refusal: it may be a moment younger. */
  private async refusal(consentId: string, authorisationId: string): Promise<errors.InvalidGrant> {
    const consent = await this.consents.findOrUndefined(consentId);
    return over(accessRefusal(consent, authorisationId, this.bankClock.nowMs()));
  }
}

/** @param why as the API says it of an access token, to the TPP and in the trail */
function over(why: AccessRefusal | undefined): errors.InvalidGrant {
  const refusal = new errors.InvalidGrant('the authorisation has ended');
  if (why !== undefined) refusal.error_description = `${refusal.error_description}: ${why.description}`;
  return withReason(why?.reason ?? 'authorisation-over', refusal);
}
