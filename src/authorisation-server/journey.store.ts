import type { PrismaService } from '../persistence/prisma.service.js';
import type { Journey } from './journey.policy.js';
import { hashed, keyOf, open, seal } from './sealing.js';

const kind = 'CustomerJourney';

/** A journey as it was read; `version` guards the next step. */
export interface KeptJourney {
  readonly journey: Journey;
  readonly version: number;
}

/** Where each customer is on the way through the pages. Every step is one guarded statement, as with consents. */
export class JourneyStore {
  constructor(private readonly prisma: PrismaService) {}

  async find(uid: string): Promise<KeptJourney | undefined> {
    const row = await this.prisma.customerJourney.findUnique({ where: { key: hashed(kind, uid) } });
    if (row === null) return undefined;
    return { journey: JSON.parse(open(keyOf(kind, uid), kind, row.state)) as Journey, version: row.version };
  }

  /** Begins the journey unless it has begun; gives it as it is. */
  async begin(uid: string, journey: Journey, expiresAt: Date): Promise<KeptJourney> {
    const begun = await this.find(uid);
    if (begun !== undefined) return begun;
    const row = { key: hashed(kind, uid), version: 1, state: this.sealed(uid, journey), expiresAt };
    await this.prisma.customerJourney.createMany({ data: [row], skipDuplicates: true });
    const kept = await this.find(uid);
    if (kept === undefined) throw new Error('the journey that was begun is gone');
    return kept;
  }

  /** Takes the step; `undefined` when another request took one since `version` was read. */
  async step(uid: string, version: number, journey: Journey): Promise<KeptJourney | undefined> {
    const { count } = await this.prisma.customerJourney.updateMany({
      where: { key: hashed(kind, uid), version },
      data: { version: version + 1, state: this.sealed(uid, journey) },
    });
    return count === 1 ? { journey, version: version + 1 } : undefined;
  }

  /** Forgets the journey. */
  async end(uid: string): Promise<void> {
    await this.prisma.customerJourney.deleteMany({ where: { key: hashed(kind, uid) } });
  }

  private sealed(uid: string, journey: Journey): string {
    return seal(keyOf(kind, uid), kind, JSON.stringify(journey));
  }
}

/** Removes at most `limit` journeys whose time is over; gives how many. */
export async function sweepJourneys(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM customer_journeys WHERE key IN (
    SELECT key FROM customer_journeys WHERE expires_at < ${new Date(nowMs)} LIMIT ${limit})`;
}
