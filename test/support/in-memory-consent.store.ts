import type { AccessEnder, Authorisation, Consent, CustomerConsent } from '../../src/consents/consent.js';
import { givesAccess } from '../../src/consents/access.policy.js';
import { ConsentStore, type ConsentPage, type HistoryPage } from '../../src/consents/consent.store.js';
import { isSameTpp, type TppId } from '../../src/open-banking/tpp-id.js';

interface Kept {
  readonly consent: Consent;
  readonly deletedAt?: Date;
  readonly givenAt?: Date;
  readonly rejectedBy?: string;
}

/** A store for tests that need no database. test/stores tests it by the same suite as the real store. */
export class InMemoryConsentStore extends ConsentStore {
  private readonly kept = new Map<string, Kept>();

  override async create(consent: Consent): Promise<void> {
    if (this.kept.has(consent.consentId)) throw new Error(`The consent ${consent.consentId} is there already`);
    this.kept.set(consent.consentId, { consent });
  }

  override async find(consentId: string): Promise<Consent | undefined> {
    return this.live(consentId);
  }

  override async authorise(consentId: string, authorisation: Authorisation, now: Date): Promise<Consent | undefined> {
    const consent = this.live(consentId);
    if (consent?.status !== 'awaiting' || expired(consent, now)) return undefined;
    return this.change({ ...consent, status: 'authorised', statusUpdatedAt: now, authorisation }, { givenAt: now });
  }

  /** It knows no TPPs. */
  override async tppMayAct(): Promise<boolean> {
    return true;
  }

  override async reject(consentId: string, now: Date, customerRef?: string): Promise<Consent | undefined> {
    const consent = this.live(consentId);
    if (consent?.status !== 'awaiting') return undefined;
    const rejected = { ...consent, status: 'rejected', statusUpdatedAt: now } as const;
    return this.change(rejected, customerRef === undefined ? {} : { rejectedBy: customerRef });
  }

  override async reauthenticate(
    consentId: string,
    customerRef: string,
    authenticatedAt: Date,
    now: Date,
    nextAuthorisationId?: string,
  ): Promise<Consent | undefined> {
    const found = this.live(consentId);
    if (found?.status !== 'authorised' || expired(found, now)) return undefined;
    const { ended, ...consent } = found;
    const { authorisation } = consent;
    if (authorisation?.customerRef !== customerRef) return undefined;
    if (ended !== undefined && ended.at >= authenticatedAt) return undefined;
    const lastAuthenticatedAt = new Date(
      Math.max(authorisation.lastAuthenticatedAt.getTime(), authenticatedAt.getTime()),
    );
    const next = nextAuthorisationId === undefined ? {} : { nextAuthorisationId };
    return this.change({ ...consent, authorisation: { ...authorisation, lastAuthenticatedAt, ...next } });
  }

  override async beginAuthorisation(
    consentId: string,
    authorisationId: string,
    now: Date,
  ): Promise<Consent | undefined> {
    const consent = this.live(consentId);
    if (consent?.status !== 'authorised' || expired(consent, now) || consent.authorisation === undefined)
      return undefined;
    if (consent.ended !== undefined) return undefined;
    const { nextAuthorisationId, ...authorisation } = consent.authorisation;
    if (nextAuthorisationId === authorisationId)
      return this.change({ ...consent, authorisation: { ...authorisation, authorisationId } });
    return authorisation.authorisationId === authorisationId ? consent : undefined;
  }

  override async endAuthorisation(ended: string): Promise<Consent | undefined> {
    let found: Consent | undefined;
    for (const { consent, deletedAt } of this.kept.values()) {
      if (deletedAt || consent.authorisation === undefined) continue;
      const { authorisationId, nextAuthorisationId, ...authorisation } = consent.authorisation;
      if (authorisationId !== ended && nextAuthorisationId !== ended) continue;
      found = consent;
      this.change({
        ...consent,
        authorisation: {
          ...authorisation,
          ...(authorisationId !== undefined && authorisationId !== ended && { authorisationId }),
          ...(nextAuthorisationId !== undefined && nextAuthorisationId !== ended && { nextAuthorisationId }),
        },
      });
    }
    return found;
  }

  override async revoke(consentId: string, now: Date, by: AccessEnder): Promise<Consent | undefined> {
    const consent = this.live(consentId);
    if (consent?.status !== 'authorised') return undefined;
    return this.change({ ...consent, status: 'revoked', statusUpdatedAt: now, ended: { at: now, by } });
  }

  override async endAccess(consentId: string, now: Date, by: AccessEnder): Promise<Consent | undefined> {
    const consent = this.live(consentId);
    if (consent?.status !== 'authorised' || consent.authorisation === undefined || consent.ended) return undefined;
    const { authorisationId: _current, nextAuthorisationId: _next, ...authorisation } = consent.authorisation;
    return this.change({ ...consent, authorisation, ended: { at: now, by } });
  }

  override async delete(consentId: string, tpp: TppId, now: Date): Promise<boolean> {
    const consent = this.live(consentId);
    if (consent === undefined || !isSameTpp(consent.tpp, tpp)) return false;
    this.change(consent, { deletedAt: now });
    return true;
  }

  override async listForCustomer(customerRef: string, page: ConsentPage): Promise<readonly Consent[]> {
    return paged(page, this.newestFirst())
      .filter(({ consent, deletedAt }) => !deletedAt && consent.authorisation?.customerRef === customerRef)
      .slice(0, page.limit)
      .map(({ consent }) => consent);
  }

  override async historyOfCustomer(
    customerRef: string,
    part: 'current' | 'past',
    now: Date,
    page: HistoryPage,
  ): Promise<readonly CustomerConsent[]> {
    const isWanted = ({ consent }: Kept): boolean => page.tpps?.some((tpp) => isSameTpp(tpp, consent.tpp)) ?? true;
    const isCurrent = ({ consent, deletedAt }: Kept): boolean => !deletedAt && givesAccess(consent, now.getTime());
    return paged(page, this.newestFirst())
      .filter((kept) => isOf(kept, customerRef) && isCurrent(kept) === (part === 'current') && isWanted(kept))
      .slice(0, page.limit)
      .map(seen);
  }

  override async tppsOfCustomer(customerRef: string): Promise<readonly TppId[]> {
    const history = [...this.kept.values()].filter((kept) => isOf(kept, customerRef));
    return [...new Map(history.map(({ consent: { tpp } }) => [tpp.key, tpp])).values()];
  }

  override async findOfCustomer(customerRef: string, consentId: string): Promise<CustomerConsent | undefined> {
    const kept = this.kept.get(consentId);
    return kept && isOf(kept, customerRef) ? seen(kept) : undefined;
  }

  private newestFirst(): Kept[] {
    return [...this.kept.values()].sort(
      ({ consent: a }, { consent: b }) =>
        b.createdAt.getTime() - a.createdAt.getTime() || (a.consentId < b.consentId ? 1 : -1),
    );
  }

  private live(consentId: string): Consent | undefined {
    const kept = this.kept.get(consentId);
    return kept?.deletedAt ? undefined : kept?.consent;
  }

  private change(consent: Consent, more: Omit<Kept, 'consent'> = {}): Consent {
    this.kept.set(consent.consentId, { ...this.kept.get(consent.consentId), ...more, consent });
    return consent;
  }
}

const isOf = ({ consent, rejectedBy }: Kept, customerRef: string): boolean =>
  (consent.authorisation?.customerRef ?? rejectedBy) === customerRef;
const seen = ({ rejectedBy: _, ...rest }: Kept): CustomerConsent => rest;
const paged = ({ after }: ConsentPage, newestFirst: readonly Kept[]): readonly Kept[] =>
  after === undefined
    ? newestFirst
    : newestFirst.filter(
        ({ consent: { createdAt, consentId } }) =>
          createdAt < after.createdAt || (+createdAt === +after.createdAt && consentId < after.consentId),
      );

const expired = ({ expires }: Consent, now: Date): boolean => expires !== undefined && expires.atMs <= now.getTime();
