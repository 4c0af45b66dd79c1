import { randomUUID } from 'node:crypto';
import { SystemClock } from '../../src/clock/clock.js';
import { WithdrawalLog } from '../../src/consents/withdrawal-log.js';
import { trailKey } from '../../src/trail/root-record.js';
import { SegmentWriter } from '../../src/trail/segment-writer.js';
import { trailKeys } from '../support/trail-keys.js';

// Withdraws consents, eight at a time, and prints the id of each that it has acknowledged, until it is killed.

const [, , directory = '', instance = ''] = process.argv;
const clock = new SystemClock();
const writer = new SegmentWriter({
  directory,
  instance,
  clock,
  fault: 'count',
  process: 'test',
  release: '0.1.0',
  key: trailKey(trailKeys.TRAIL_KEY),
  watch: {
    failing: (error) => {
      throw error;
    },
    recovered: () => undefined,
  },
});
writer.start();
const log = new WithdrawalLog(writer);

async function withdraw(): Promise<never> {
  for (;;) {
    const consent = `aac-${randomUUID()}`;
    const at = new Date(clock.nowMs()).toISOString();
    await log.withdraw({ at, event: 'consent-deleted', consent }, () => Promise.resolve());
    process.stdout.write(`${consent}\n`);
  }
}
await Promise.all(Array.from({ length: 8 }, withdraw));
