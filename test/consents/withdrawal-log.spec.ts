import { beforeEach, describe, expect, it } from '@jest/globals';
import { WithdrawalLog } from '../../src/consents/withdrawal-log.js';
import type { OpenBankingError } from '../../src/open-banking/errors.js';
import type { AnyEvent } from '../../src/trail/event.js';
import { CollectedTrail } from '../support/collected-trail.js';

/** A trail on a disk that fails, or never answers, as long as a test says so. */
class TrailOnDisk extends CollectedTrail {
  disk: 'good' | 'full' | 'stuck' = 'good';

  override written(event: AnyEvent): Promise<void> {
    if (this.disk === 'stuck') return new Promise(() => undefined);
    return this.disk === 'full' ? Promise.reject(new Error('no room')) : super.written(event);
  }
}

describe('the log of withdrawals', () => {
  let trail: TrailOnDisk;
  let log: WithdrawalLog;
  beforeEach(() => {
    trail = new TrailOnDisk();
    log = new WithdrawalLog(trail);
  });

  const at = '2026-06-15T12:00:00.000Z';
  const of = (consent: string) => ({ at, event: 'consent-deleted' as const, consent });
  /** The outcome of a withdrawal, and whether its change was made. */
  const withdraw = async (...consents: readonly string[]): Promise<readonly [outcome: string, changed: boolean]> => {
    let changed = false;
    const outcome = await log
      .withdraw(consents.map(of), async () => {
        changed = true;
        return 'acknowledged';
      })
      .catch((error: OpenBankingError) => error.details[0]?.message ?? '');
    return [outcome, changed];
  };
  const unacknowledged = expect.stringContaining('The change took effect, but is not in the decision trail yet');

  it('has every event in the trail before the change is made', async () => {
    let seen: readonly AnyEvent[] = [];
    await log.withdraw([of('c1'), of('c2')], async () => {
      seen = [...trail.events];
    });
    expect(seen).toEqual(
      ['c1', 'c2'].map((consent) => ({
        kind: 'withdrawal',
        id: expect.any(String),
        at,
        event: 'consent-deleted',
        consent,
      })),
    );
    expect(await withdraw('c3')).toEqual(['acknowledged', true]);
  });

  it('lets the withdrawal happen where the trail cannot be written, and acknowledges it not', async () => {
    trail.disk = 'full';
    expect(await withdraw('c1')).toEqual([unacknowledged, true]);
    await expect(log.note(of('c1'))).rejects.toMatchObject({ reason: 'withdrawal-unwritten' });
  });

  it('lets the withdrawal happen after five seconds where the disk does not answer, and acknowledges it not', async () => {
    trail.disk = 'stuck';
    expect(await withdraw('c1', 'c2')).toEqual([unacknowledged, true]);
  });

  it('acknowledges no withdrawal whose change failed', async () => {
    await expect(log.withdraw(of('c1'), () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(trail.events).toHaveLength(1);
  });
});
