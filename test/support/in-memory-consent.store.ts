import type { Authorisation, Consent } from '../../src/consents/consent.js';
import { ConsentChanges, ConsentStore } from '../../src/consents/consent.store.js';

interface Kept {
  readonly consent: Consent;
  readonly deleted: boolean;
}

/** A store for tests that need no database; test/stores proves it by the same suite as the real one. */
export class InMemoryConsentStore extends ConsentStore {
  readonly changes = new InMemoryConsentChanges();
  private readonly kept = new Map<string, Kept>();

  override async create(consent: Consent): Promise<void> {
    if (this.kept.has(consent.consentId)) throw new Error(`The consent ${consent.consentId} is there already`);
    this.kept.set(consent.consentId, { consent, deleted: false });
  }

  override async find(consentId: string): Promise<Consent | undefined> {
    return this.live(consentId);
  }

  override async authorise(consentId: string, authorisation: Authorisation, now: Date): Promise<Consent | undefined> {
    const consent = this.live(consentId);
    if (consent?.status !== 'AwaitingAuthorisation' || expired(consent, now)) return undefined;
    return this.change({ ...consent, status: 'Authorised', statusUpdatedAt: now, authorisation });
  }

  override async reject(consentId: string, now: Date): Promise<Consent | undefined> {
    const consent = this.live(consentId);
    if (consent?.status !== 'AwaitingAuthorisation') return undefined;
    return this.change({ ...consent, status: 'Rejected', statusUpdatedAt: now });
  }

  override async reauthenticate(
    consentId: string,
    customerRef: string,
    authenticatedAt: Date,
    now: Date,
    nextAuthorisationId?: string,
  ): Promise<Consent | undefined> {
    const consent = this.live(consentId);
    if (consent?.status !== 'Authorised' || expired(consent, now)) return undefined;
    const { authorisation } = consent;
    if (authorisation?.customerRef !== customerRef) return undefined;
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
    if (consent?.status !== 'Authorised' || expired(consent, now) || consent.authorisation === undefined)
      return undefined;
    const { nextAuthorisationId, ...authorisation } = consent.authorisation;
    if (nextAuthorisationId === authorisationId)
      return this.change({ ...consent, authorisation: { ...authorisation, authorisationId } });
    return authorisation.authorisationId === authorisationId ? consent : undefined;
  }

  override async endAuthorisation(ended: string): Promise<void> {
    for (const { consent, deleted } of this.kept.values()) {
      if (deleted || consent.authorisation === undefined) continue;
      const { authorisationId, nextAuthorisationId, ...authorisation } = consent.authorisation;
      if (authorisationId !== ended && nextAuthorisationId !== ended) continue;
      this.change({
        ...consent,
        authorisation: {
          ...authorisation,
          ...(authorisationId !== undefined && authorisationId !== ended && { authorisationId }),
          ...(nextAuthorisationId !== undefined && nextAuthorisationId !== ended && { nextAuthorisationId }),
        },
      });
    }
  }

  override async revoke(consentId: string, now: Date): Promise<Consent | undefined> {
    const consent = this.live(consentId);
    if (consent?.status !== 'Authorised') return undefined;
    return this.change({ ...consent, status: 'Revoked', statusUpdatedAt: now });
  }

  override async delete(consentId: string, tppId: string): Promise<boolean> {
    const consent = this.live(consentId);
    if (consent?.tppId !== tppId) return false;
    this.kept.set(consentId, { consent, deleted: true });
    this.changes.tell(consentId);
    return true;
  }

  override async listForCustomer(customerRef: string): Promise<readonly Consent[]> {
    return [...this.kept.values()]
      .filter(({ consent, deleted }) => !deleted && consent.authorisation?.customerRef === customerRef)
      .map(({ consent }) => consent)
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.consentId < b.consentId ? 1 : -1));
  }

  private live(consentId: string): Consent | undefined {
    const kept = this.kept.get(consentId);
    return kept === undefined || kept.deleted ? undefined : kept.consent;
  }

  private change(consent: Consent): Consent {
    this.kept.set(consent.consentId, { consent, deleted: false });
    this.changes.tell(consent.consentId);
    return consent;
  }
}

export class InMemoryConsentChanges extends ConsentChanges {
  private readonly listeners: { onChange: (consentId: string) => void; onHearing: (hearing: boolean) => void }[] = [];
  private hearing = true;

  override subscribe(onChange: (consentId: string) => void, onHearing: (hearing: boolean) => void): void {
    this.listeners.push({ onChange, onHearing });
    onHearing(this.hearing);
  }

  tell(consentId: string): void {
    if (this.hearing) for (const { onChange } of this.listeners) onChange(consentId);
  }

  /** Makes the feed deaf, as when the connection to the database is lost, or lets it hear again. */
  hear(hearing: boolean): void {
    this.hearing = hearing;
    for (const { onHearing } of this.listeners) onHearing(hearing);
  }
}

const expired = ({ expires }: Consent, now: Date): boolean => expires !== undefined && expires.atMs <= now.getTime();
