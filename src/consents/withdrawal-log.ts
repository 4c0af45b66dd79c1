import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { unavailable } from '../open-banking/common-errors.js';
import type { TppId } from '../open-banking/tpp-id.js';
import { causingRequest } from '../trail/cause.js';
import { Trail } from '../trail/trail.js';
import type { WithdrawalEvent } from '../trail/withdrawal-event.js';
import type { AccessEnder } from './consent.js';

/** How long a withdrawal waits for the disk. After that it takes effect without its event. */
const patienceMs = 5_000;

/** A withdrawal as {@link WithdrawalLog} takes it. */
type OrderedWithdrawal = Omit<WithdrawalEvent, 'kind' | 'id' | 'interactionId' | 'number' | 'mac'>;

/**
 * Writes each withdrawal into the trail, outside the database, so that a restored backup gives no withdrawn access back: see
 * `recover` in docs/operate/backup-and-restore.md.
 */
@Injectable()
export class WithdrawalLog {
  constructor(private readonly trail: Trail) {}

  /**
   * Writes the events, then makes the change. The change is made also when an event could not be written, because access
   * that continues is worse than a missing event. The caller then gets an error, and the trail goes on trying.
   */
  async withdraw<T>(ordered: OrderedWithdrawal | readonly OrderedWithdrawal[], change: () => Promise<T>): Promise<T> {
    const unwritten = await this.written([ordered].flat()).then(
      () => undefined,
      (error: unknown) => notWritten(error),
    );
    const changed = await change();
    if (unwritten !== undefined) throw unwritten;
    return changed;
  }

  /** Writes an event whose change was already made. */
  async note(ordered: OrderedWithdrawal): Promise<void> {
    await this.written([ordered]).catch((error: unknown) => {
      throw notWritten(error);
    });
  }

  private async written(ordered: readonly OrderedWithdrawal[]): Promise<void> {
    const interactionId = causingRequest.getStore();
    const events = ordered.map((one) => ({ kind: 'withdrawal' as const, id: randomUUID(), interactionId, ...one }));
    const inTime = new AbortController();
    const tooLate = sleep(patienceMs, undefined, { signal: inTime.signal }).then(() => {
      throw new Error('the disk of the trail does not answer');
    });
    const written = Promise.all(events.map((event) => this.trail.written(event)));
    await Promise.race([written, tooLate]).finally(() => inTime.abort());
  }
}

function notWritten(error: unknown): Error {
  return unavailable(
    error,
    undefined,
    'The change took effect, but is not in the decision trail yet',
    'withdrawal-unwritten',
  );
}

export function withdrawalOfTpp(
  event: 'tpp-suspended' | 'tpp-deleted' | 'tpp-consents-revoked',
  { issuer, clientId }: TppId,
  at: Date,
): OrderedWithdrawal {
  return { at: at.toISOString(), event, issuer, tpp: clientId };
}

/** @param account its pseudonym */
export function departureOfAccount(account: string, consent: string, at: Date): OrderedWithdrawal {
  return { at: at.toISOString(), event: 'account-left', consent, account };
}

/** The bank or the customer withdraws a consent. */
export function withdrawalOfConsent(consent: string, at: Date, by: AccessEnder): OrderedWithdrawal {
  return { at: at.toISOString(), event: 'consent-revoked', consent, by };
}
