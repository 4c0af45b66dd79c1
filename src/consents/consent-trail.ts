import { Injectable } from '@nestjs/common';
import type { TppId } from '../open-banking/tpp-id.js';
import type { Actor } from '../trail/event-members.js';
import type { ConsentChange, ConsentEvent } from '../trail/event.js';
import type { Reason } from '../trail/reasons.js';
import { Pseudonyms } from '../trail/pseudonyms.js';
import { Trail } from '../trail/trail.js';
import type { Consent } from './consent.js';

type Facts = Pick<ConsentEvent, 'permissions' | 'accounts' | 'account' | 'reason'> & {
  readonly customerRef?: string | undefined;
};

/** Leaves an event in the trail of every change of a consent, once it was made. */
@Injectable()
export class ConsentTrail {
  constructor(
    private readonly trail: Trail,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  created(consent: Consent): void {
    const { permissions } = consent;
    this.changed('created', 'tpp', consent, permissions.length > 0 ? { permissions } : {});
  }

  /** @param consent as it is after the change */
  changed(event: ConsentChange, by: Actor, consent: Consent, facts: Facts = {}): void {
    const { consentId, tpp, status, authorisation, expires } = consent;
    const { customerRef = authorisation?.customerRef, ...more } = facts;
    this.trail.happened({
      kind: 'consent',
      event,
      by,
      consent: consentId,
      ...namesOf(tpp),
      ...(customerRef !== undefined && { customer: this.pseudonyms.ofCustomer(customerRef) }),
      ...more,
      ...(expires !== undefined && { expires: new Date(expires.atMs).toISOString() }),
      status,
    });
  }

  /** Rejected because the customer began the authorisation and did not complete it. */
  notCompleted(consent: Consent): void {
    this.changed('abandoned', 'gateway', consent, { reason: 'not-completed' });
  }

  /** A consent that no longer exists. */
  gone(event: 'deleted' | 'abandoned', by: Actor, consent: string, tpp: TppId, facts: Facts = {}): void {
    this.trail.happened({ kind: 'consent', event, by, consent, ...namesOf(tpp), ...facts });
  }

  /** The tokens of an authorisation give no access from now on; its consent stays. */
  authorisationEnded(consent: string, tpp: TppId): void {
    this.trail.happened({ kind: 'consent', event: 'authorisation-ended', by: 'tpp', consent, ...namesOf(tpp) });
  }

  /** The bank's measure against a TPP, which may end all its consents. */
  ofTpp(event: 'suspended' | 'resumed' | 'consents-revoked', tpp: TppId, by: Actor, reason?: Reason): void {
    this.trail.happened({ kind: 'tpp', event, by, ...namesOf(tpp), ...(reason !== undefined && { reason }) });
  }
}

function namesOf({ issuer, clientId }: TppId): { readonly issuer: string; readonly tpp: string } {
  return { issuer, tpp: clientId };
}
