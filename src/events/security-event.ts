import type { JWTPayload } from 'jose';
import { isOfLaterVersion } from '../consents/access.policy.js';
import type { ApiVersion } from '../endpoint/api-version.js';
import { consentIdPrefixes } from '../open-banking/consent-state.js';
import { eventTypes, type EventType } from '../open-banking/event-types.js';
import type { PublicIds } from '../open-banking/public-ids.js';
import type { TppId } from '../open-banking/tpp-id.js';
import type { WaitingEvent } from './consent-event.store.js';

/** The parts of a token that do not come from the event. */
export interface TokenSetting {
  /** The version in which the TPP polls. */
  readonly version: ApiVersion;
  /** Every version that the bank serves. */
  readonly versions: readonly ApiVersion[];
  readonly issuer: string;
  /** The start of every link. */
  readonly baseUrl: string;
  readonly ids: Pick<PublicIds, 'ofAccount'>;
}

/** The claims of a security event token (RFC 8417): always the same for the same event, version and listener. */
export function claimsOf(event: WaitingEvent, { clientId }: TppId, setting: TokenSetting): JWTPayload {
  const { issuer } = setting;
  const versions = servingVersions(event, setting);
  // A version that is older than the consent refuses it.
  const version = versions.includes(setting.version) ? setting.version : versions[0];
  const resource = resourceOf(event);
  const seconds = Math.floor(event.occurredAt.getTime() / 1_000);
  const subject = subjectOf(event, resource, { ...setting, versions });
  return {
    iss: issuer,
    iat: seconds,
    jti: event.eventId,
    aud: clientId,
    sub: `${setting.baseUrl}${version[resource.base]}/${resource.type}s/${event.consentId}`,
    txn: event.eventId,
    toe: seconds,
    events: Object.fromEntries(typesOf(event, version).map((type) => [eventTypes[type], { subject }])),
  };
}

/** Those in which the consent is accessed, the oldest first; that of the poll where the bank ended the one that created it. */
function servingVersions(
  { createdIn }: WaitingEvent,
  { version, versions }: TokenSetting,
): [ApiVersion, ...ApiVersion[]] {
  const [first, ...others] = versions.filter(({ name }) => !isOfLaterVersion(createdIn, name));
  return first === undefined ? [version] : [first, ...others];
}

/** The consent, whose row may have gone, as the standard names it, and the prefix of its paths. */
interface ConsentResource {
  readonly type: 'account-access-consent' | 'funds-confirmation-consent';
  readonly base: 'basePath' | 'fundsPath';
}

function resourceOf({ consentId }: WaitingEvent): ConsentResource {
  return consentId.startsWith(consentIdPrefixes['funds-confirmation'])
    ? { type: 'funds-confirmation-consent', base: 'fundsPath' }
    : { type: 'account-access-consent', base: 'basePath' };
}

function typesOf(event: WaitingEvent, { typesOfWithdrawal }: ApiVersion): readonly EventType[] {
  const { kind } = event;
  // For confirmation of funds the status changes in every version, and the account is a part of the consent.
  if (resourceOf(event).base === 'fundsPath')
    return kind === 'withdrawn' ? ['consent-authorization-revoked', 'resource-update'] : ['resource-update'];
  if (kind === 'withdrawn') return typesOfWithdrawal;
  return [kind === 'updated' ? 'resource-update' : 'account-access-consent-linked-account-update'];
}

/** The consent, or the account that left it: its type is that of the consent, as the standard says. */
function subjectOf(
  { consentId, account }: WaitingEvent,
  { type, base }: ConsentResource,
  { baseUrl, versions, ids }: TokenSetting,
): object {
  const isOfAccount = account !== null && base === 'basePath';
  const id = isOfAccount ? ids.ofAccount(account.ref, account.core) : consentId;
  const path = isOfAccount ? `/accounts/${id}` : `/${type}s/${id}`;
  return {
    subject_type: 'http://openbanking.org.uk/rid_http://openbanking.org.uk/rty',
    'http://openbanking.org.uk/rid': id,
    'http://openbanking.org.uk/rty': type,
    'http://openbanking.org.uk/rlk': versions.map((version) => ({
      version: version.name,
      link: `${baseUrl}${version[base]}${path}`,
    })),
  };
}
