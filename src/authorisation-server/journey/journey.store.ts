import { createHmac, hkdfSync } from 'node:crypto';
import type { PrismaService } from '../../persistence/prisma.service.js';
import { newBearer } from '../listeners/cookies.js';
import type { Journey } from './journey.policy.js';
import { hashed, keyOf, open, seal } from '../sealing.js';

const kind = 'CustomerJourney';

/** A journey as it was read; `version` guards the next step. */
export interface StoredJourney {
  /** The value of the journey's cookie: it finds the journey, and nothing else opens it. */
  readonly bearer: string;
  readonly journey: Journey;
  readonly version: number;
}

/** Where each customer is on the way through the pages. Every step is one guarded statement, as with consents. */
export class JourneyStore {
  /** @param key so that what was posted cannot be guessed at by who reads the database. */
  constructor(
    private readonly prisma: PrismaService,
    private readonly key: Buffer,
  ) {}

  async find(bearer: string, nowMs: number): Promise<StoredJourney | undefined> {
    const row = await this.prisma.customerJourney.findUnique({
      where: { key: hashed(kind, bearer), expiresAt: { gt: new Date(nowMs) } },
    });
    if (row === null) return undefined;
    return { bearer, journey: JSON.parse(open(keyOf(kind, bearer), kind, row.state)) as Journey, version: row.version };
  }

  /** Begins a journey that no TPP asked for, unless one lives under this cookie, or began under it. */
  async begin(bearer: string, journey: Journey, nowMs: number, expiresAt: Date): Promise<void> {
    await this.prisma.$executeRaw`
      INSERT INTO customer_journeys AS former (key, version, state, expires_at)
      SELECT ${hashed(kind, bearer)}, 1, ${sealed(bearer, journey)}, ${expiresAt}::timestamp(3)
      WHERE NOT EXISTS (SELECT FROM customer_journeys WHERE previous_key = ${hashed(kind, bearer)}
        AND expires_at > ${new Date(nowMs)}::timestamp(3))
      ON CONFLICT (key) DO UPDATE SET
        version = former.version + 1, state = EXCLUDED.state, expires_at = EXCLUDED.expires_at
      WHERE former.expires_at <= ${new Date(nowMs)}`;
  }

  /**
   * Begins the journey of a TPP's request under a fresh value of the cookie, which is given. Of one request one journey
   * lives: an earlier one ends, and the library's artefact of it.
   */
  async beginOf(request: { id: string; uid: string }, journey: Journey, expiresAt: Date): Promise<string> {
    const bearer = newBearer();
    const requestKey = hashed('AuthorizationRequest', request.id);
    const artefactKey = hashed('Interaction', request.uid);
    await this.prisma.$executeRaw`
      WITH former AS (
        DELETE FROM oidc_artefacts WHERE key IN (
          SELECT artefact_key FROM customer_journeys WHERE request_key = ${requestKey} AND artefact_key <> ${artefactKey})
      )
      INSERT INTO customer_journeys (key, version, state, expires_at, request_key, artefact_key)
      VALUES (${hashed(kind, bearer)}, 1, ${sealed(bearer, journey)}, ${expiresAt}, ${requestKey}, ${artefactKey})
      ON CONFLICT (request_key) DO UPDATE SET
        key = EXCLUDED.key, version = EXCLUDED.version, state = EXCLUDED.state, expires_at = EXCLUDED.expires_at,
        artefact_key = EXCLUDED.artefact_key, previous_key = NULL, handover = NULL`;
    return bearer;
  }

  /** Takes the step; `undefined` when another request took one since the journey was read. */
  async step({ bearer, version }: StoredJourney, journey: Journey): Promise<StoredJourney | undefined> {
    const { count } = await this.prisma.customerJourney.updateMany({
      where: { key: hashed(kind, bearer), version },
      data: { version: version + 1, state: sealed(bearer, journey) },
    });
    return count === 1 ? { bearer, journey, version: version + 1 } : undefined;
  }

  /**
   * Takes a step that changes who is signed in: from now on another value of the cookie opens the journey. The former one
   * leads to it only together with what was posted: see {@link successor}.
   */
  async renew(
    { bearer: former, version }: StoredJourney,
    journey: Journey,
    posted: string,
  ): Promise<StoredJourney | undefined> {
    const bearer = newBearer();
    const { count } = await this.prisma.customerJourney.updateMany({
      where: { key: hashed(kind, former), version },
      data: {
        key: hashed(kind, bearer),
        version: version + 1,
        state: sealed(bearer, journey),
        previousKey: hashed(kind, former),
        handover: seal(this.handoverKey(former, posted), kind, bearer),
      },
    });
    return count === 1 ? { bearer, journey, version: version + 1 } : undefined;
  }

  /**
   * The value that took the place of `former`, for who posts the same once more. Of a double click the browser drops the
   * first answer, and the cookie with it; somebody who has the cookie alone does not know the password or the code.
   */
  async successor(former: string, posted: string): Promise<string | undefined> {
    const row = await this.prisma.customerJourney.findFirst({ where: { previousKey: hashed(kind, former) } });
    if (!row?.handover) return undefined;
    try {
      return open(this.handoverKey(former, posted), kind, row.handover);
    } catch {
      // Another post: it proves nothing.
      return undefined;
    }
  }

  /** Tells one post from another, and nothing of what was posted. */
  mark(posted: string): string {
    return createHmac('sha256', this.key).update(posted).digest('base64url');
  }

  /** Forgets the journey. True for one of the requests that end it at the same moment, at whichever process. */
  async end(bearer: string): Promise<boolean> {
    const { count } = await this.prisma.customerJourney.deleteMany({ where: { key: hashed(kind, bearer) } });
    return count === 1;
  }

  private handoverKey(former: string, posted: string): Buffer {
    return Buffer.from(hkdfSync('sha256', former, this.mark(posted), `sealed handover of ${kind}`, 32));
  }
}

function sealed(bearer: string, journey: Journey): string {
  return seal(keyOf(kind, bearer), kind, JSON.stringify(journey));
}

/** Removes at most `limit` journeys whose time is over; gives how many. */
export async function sweepJourneys(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM customer_journeys WHERE key IN (
    SELECT key FROM customer_journeys WHERE expires_at < ${new Date(nowMs)} LIMIT ${limit})`;
}
