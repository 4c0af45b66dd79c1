import { Injectable } from '@nestjs/common';
import { BankClock } from '../../clock/clock.js';
import { accessEnd, type AccessEnd } from '../../consents/access.policy.js';
import type { CustomerConsent } from '../../consents/consent.js';
import { readCursor, type Page } from '../../consents/consent-page.js';
import { ConsentService } from '../../consents/consent.service.js';
import { CustomerConsents } from '../../consents/customer-consents.js';
import { LastUseStore } from '../../consents/last-use.store.js';
import { accountKey } from '../../core-banking/account-at-core.js';
import type { NamedCustomer } from '../../core-banking/cores.js';
import { isCoreError } from '../../../packages/core-adapter/core-error.js';
import { embeddedIssuer, type TppId } from '../../open-banking/tpp-id.js';
import { toOpenBankingError } from '../../server/error-responder.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { accessRequest, shownTpp } from '../journey/access-request.js';
import { CustomerAccounts } from '../journey/customer-accounts.js';
import type { AccessRequest } from '../pages/customer-pages.js';
import type { ChosenAccount, GivenAccess } from '../pages/dashboard-views.js';
import { TppStore } from '../tpps/tpp.store.js';

/** In the list of current access, and in the list of past access. */
const accessesPerPage = 50;

/** One access of a customer; `end` is absent while it lasts. */
interface ShownAccess extends GivenAccess {
  readonly consentId: string;
  readonly end?: AccessEnd;
}

/**
 * Lists the accesses that a customer gave or refused, and withdraws them. Every query names the customer: another
 * customer's consent is as unknown as one that does not exist.
 */
@Injectable()
export class CustomerAccess {
  constructor(
    private readonly consents: ConsentService,
    private readonly given: CustomerConsents,
    private readonly lastUses: LastUseStore,
    private readonly tpps: TppStore,
    private readonly accounts: CustomerAccounts,
    private readonly clock: BankClock,
    private readonly settings: AuthorisationSettings,
    private readonly log: AuthorisationLog,
  ) {}

  /** A page of the current or of the past access, newest first. */
  async page(
    customer: NamedCustomer,
    part: 'current' | 'past',
    cursor: string | undefined,
  ): Promise<Page<ShownAccess>> {
    // Another text, and a cursor that has ended, show the first page.
    const after = cursor === undefined ? undefined : readCursor(cursor, this.clock.nowMs());
    const { items, next } = await this.given.history(customer.customerRef, part, {
      limit: accessesPerPage,
      ...(after && { after }),
    });
    return { items: await this.toShown(customer, items), ...(next !== undefined && { next }) };
  }

  /** The TPP whose access the customer has withdrawn; `undefined` where that is not so. */
  async withdrawnFrom(customerRef: string, consentId: string): Promise<AccessRequest['tpp'] | undefined> {
    const given = await this.find(customerRef, consentId);
    if (given === undefined || this.endOf(given)?.how !== 'withdrawn') return undefined;
    return (await this.tppsOf([given])).get(given.consent.tpp.key);
  }

  /** An access that lasts. */
  async current(customer: NamedCustomer, consentId: string): Promise<ShownAccess | undefined> {
    const given = await this.find(customer.customerRef, consentId);
    if (given === undefined || this.endOf(given) !== undefined) return undefined;
    return (await this.toShown(customer, [given]))[0];
  }

  /** Whether the customer has withdrawn the access, now or before: both of two clicks get `true`. */
  async withdraw(customerRef: string, consentId: string): Promise<boolean> {
    const given = await this.find(customerRef, consentId);
    if (given === undefined) return false;
    if (this.endOf(given) === undefined) await this.consents.revoke(consentId, 'customer').catch(ignoreEndedConsent);
    const now = await this.find(customerRef, consentId);
    return now !== undefined && this.endOf(now)?.how === 'withdrawn';
  }

  private find(customerRef: string, consentId: string): Promise<CustomerConsent | undefined> {
    return this.given.find(customerRef, consentId);
  }

  private endOf(given: CustomerConsent): AccessEnd | undefined {
    return accessEnd(given, this.clock.nowMs());
  }

  private async toShown(customer: NamedCustomer, history: readonly CustomerConsent[]): Promise<readonly ShownAccess[]> {
    const { lastUses } = this;
    // The last uses that another process has not written yet appear a few seconds late.
    await lastUses.flush();
    const [uses, names, tpps] = await Promise.all([
      lastUses.find(history.map(({ consent }) => consent.consentId)),
      this.accountNames(customer),
      this.tppsOf(history),
    ]);
    return history.map((given) => {
      const { consent } = given;
      const { consentId, tpp, authorisation, authorisedAt: givenAt = consent.createdAt } = consent;
      const [lastUsedAt, end] = [uses.get(consentId), this.endOf(given)];
      return {
        consentId,
        request: accessRequest(consent, tpps.get(tpp.key) ?? shownTpp(tpp, undefined), this.settings.profile),
        accounts: (authorisation?.accounts ?? []).map((account): ChosenAccount => ({
          product: account.product,
          ...names.get(accountKey(account)),
        })),
        givenAt,
        lastAuthenticatedAt: authorisation?.lastAuthenticatedAt ?? givenAt,
        ...(lastUsedAt && { lastUsedAt }),
        ...(end && { end }),
      };
    });
  }

  /** The customer can see and withdraw an access without the names of its accounts, so an unreachable core hides only its own names. */
  private async accountNames(
    customer: NamedCustomer,
  ): Promise<ReadonlyMap<string, Pick<ChosenAccount, 'name' | 'endsWith'>>> {
    try {
      const { items } = await this.accounts.find(customer, 'partial');
      return new Map(items.map((account) => [accountKey(account), account]));
    } catch (error) {
      if (!isCoreError(error)) throw error;
      this.log.fault(error);
      return new Map();
    }
  }

  private async tppsOf(history: readonly CustomerConsent[]): Promise<ReadonlyMap<string, AccessRequest['tpp']>> {
    const ids = [...new Map(history.map(({ consent: { tpp } }) => [tpp.key, tpp])).values()];
    // The name of a TPP that is registered here is not that of another issuer's TPP with its client id.
    const here = ids.filter(isRegisteredHere);
    const tpps = await this.tpps.findAll(here.map(({ clientId }) => clientId));
    const byId = new Map(tpps.map((tpp) => [tpp.clientId, tpp]));
    return new Map(ids.map((id) => [id.key, shownTpp(id, isRegisteredHere(id) ? byId.get(id.clientId) : undefined)]));
  }
}

function isRegisteredHere({ issuer }: TppId): boolean {
  return issuer === embeddedIssuer;
}

/** The access ended a moment ago, in another window for example: the caller reads how. */
function ignoreEndedConsent(error: unknown): void {
  const { kind } = toOpenBankingError(error);
  if (kind !== 'consent-status' && kind !== 'consent-not-found') throw error;
}
