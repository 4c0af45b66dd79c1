import { Injectable } from '@nestjs/common';
import { BankClock } from '../clock/clock.js';
import { readPage, type ConsentPage, type Page } from './consent-page.js';
import { ConsentStore } from './consent.store.js';
import type { Consent, CustomerConsent } from './consent.js';
import { stored } from './stored.js';

@Injectable()
export class CustomerConsents {
  constructor(
    private readonly store: ConsentStore,
    private readonly clock: BankClock,
  ) {}

  list(customerRef: string, page: ConsentPage): Promise<Page<Consent>> {
    return readPage(
      page,
      this.clock.nowMs(),
      (wanted) => stored(this.store.listForCustomer(customerRef, wanted)),
      (consent) => consent,
    );
  }

  /** For the customer: every access that was given or refused, also consents that their TPPs deleted. */
  history(customerRef: string, part: 'current' | 'past', page: ConsentPage): Promise<Page<CustomerConsent>> {
    const nowMs = this.clock.nowMs();
    return readPage(
      page,
      nowMs,
      (wanted) => stored(this.store.historyOfCustomer(customerRef, part, new Date(nowMs), wanted)),
      ({ consent }) => consent,
    );
  }

  /** One consent of that history. The consent of another customer is unknown here. */
  find(customerRef: string, consentId: string): Promise<CustomerConsent | undefined> {
    return stored(this.store.findOfCustomer(customerRef, consentId));
  }
}
