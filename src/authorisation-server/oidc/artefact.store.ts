import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../clock/clock.js';
import type { Prisma } from '../../../prisma/client/client.js';
import type { SameTransactionWrite } from '../../consents/authorisation.store.js';
import type { PrismaService } from '../../persistence/prisma.service.js';
import { hashed, keyOf, open, seal } from '../sealing.js';

export function keyOfArtefact(model: string, id: string): string {
  return hashed(model, id);
}

/** The library's storage of one kind of artefact. */
export class ArtefactStore implements Adapter {
  /** @param exchange gets the write of a refresh token: it is stored with the exchange of its code, or not at all */
  constructor(
    private readonly model: string,
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly exchange: { complete(store: SameTransactionWrite): Promise<void> },
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    // The id is the bearer value and must not be in the row, not even sealed.
    const { jti: _bearer, ...rest } = payload;
    const expiresAt = new Date(this.clock.nowMs() + expiresIn * 1_000);
    const key = keyOfArtefact(this.model, id);
    if (this.model === 'ReplayDetection') return this.useAssertion(key, expiresAt);
    const data = {
      model: this.model,
      payload: seal(keyOf(this.model, id), this.model, JSON.stringify(rest)),
      // When the authorisation ends, the database removes all rows with its id (the trigger
      // `consents_remove_ended_authorisations`).
      grantId: payload.grantId ?? null,
      expiresAt,
    };
    // No refresh token is changed: the library makes each one once, in the exchange of a code.
    if (this.model === 'RefreshToken')
      return this.exchange.complete(async (transaction) => {
        await transaction.oidcArtefact.create({ data: { key, ...data } });
      });
    await this.prisma.oidcArtefact.upsert({ where: { key }, create: { key, ...data }, update: data });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    // An assertion that was used before is refused by the statement that stores it: see `useAssertion`.
    if (this.model === 'ReplayDetection') return undefined;
    const [row] = await this.prisma.$queryRaw<{ payload: string; consumedAt: Date | null }[]>`
      SELECT payload, consumed_at AS "consumedAt" FROM oidc_artefacts WHERE key = ${keyOfArtefact(this.model, id)}`;
    if (row === undefined) return undefined;
    const payload = JSON.parse(open(keyOf(this.model, id), this.model, row.payload)) as AdapterPayload;
    return {
      ...payload,
      jti: id,
      ...(row.consumedAt !== null && { consumed: Math.floor(row.consumedAt.getTime() / 1_000) }),
    };
  }

  async consume(id: string): Promise<void> {
    // A code is used up when its exchange completes: see `useCode`.
    if (this.model === 'AuthorizationCode') return;
    // A pushed request may be large and is not needed again: a journey ends once. Nothing else is consumed.
    const { count } = await this.prisma.oidcArtefact.deleteMany({ where: { key: keyOfArtefact(this.model, id) } });
    if (count === 0) throw new errors.InvalidRequestUri('the request_uri was used before');
  }

  async destroy(id: string): Promise<void> {
    await this.prisma.oidcArtefact.deleteMany({ where: { key: keyOfArtefact(this.model, id) } });
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.prisma.oidcArtefact.deleteMany({ where: { model: this.model, grantId } });
  }

  /** Sessions are not kept (see {@link noSessions}) and devices have no flow here. */
  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** The library searches first and inserts then. Two requests at once could both pass, so this statement alone decides. */
  private async useAssertion(key: string, expiresAt: Date): Promise<void> {
    // The key alone says that the assertion was used.
    const count = await this.prisma.$executeRaw`
      INSERT INTO oidc_artefacts (key, model, payload, expires_at)
      VALUES (${key}, ${this.model}, '', ${expiresAt}::timestamp(3)) ON CONFLICT DO NOTHING`;
    if (count === 0) throw new errors.InvalidClientAuth('client assertion tokens must only be used once');
  }
}

/**
 * Uses a code up: when it is exchanged several times at once, at any processes, one exchange wins.
 * @throws InvalidGrant when it was used before
 */
export async function useCode(transaction: Prisma.TransactionClient, id: string, now: Date): Promise<void> {
  const { count } = await transaction.oidcArtefact.updateMany({
    where: { key: keyOfArtefact('AuthorizationCode', id), consumedAt: null },
    data: { consumedAt: now },
  });
  if (count === 0) throw new errors.InvalidGrant('used before');
}

/**
 * The library keeps no sessions: every authorisation needs a sign-in. So two people or two windows at one browser never
 * share anything.
 */
export const noSessions: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

function nothing(): Promise<undefined> {
  return Promise.resolve(undefined);
}

/** A code is kept after its end, so that the gateway recognises a replay. */
const codesKeptMs = 60 * 60_000;
/** An assertion is kept after its end, because a process whose clock is behind may still accept it. */
const assertionsKeptMs = 60_000;

/**
 * Removes at most `limit` expired artefacts; gives their number. It skips locked rows: the database removes the artefacts of
 * a consent that ends at the same moment.
 */
export async function sweepArtefacts(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  const [now, codes, assertions] = [0, codesKeptMs, assertionsKeptMs].map((keptMs) => new Date(nowMs - keptMs));
  return prisma.$executeRaw`DELETE FROM oidc_artefacts WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM oidc_artefacts
    WHERE expires_at < ${now}::timestamp(3) AND CASE model
      WHEN 'AuthorizationCode' THEN expires_at < ${codes}::timestamp(3)
      WHEN 'ReplayDetection' THEN expires_at < ${assertions}::timestamp(3)
      ELSE true END
    LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
}
