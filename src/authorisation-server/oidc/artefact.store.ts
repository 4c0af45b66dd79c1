import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../clock/clock.js';
import { Prisma } from '../../../prisma/client/client.js';
import type { PrismaService } from '../../persistence/prisma.service.js';
import { hashed, keyOf, open, seal } from '../sealing.js';

const uniqueViolation = 'P2002';

/** Calls that one kind of the library's artefacts needs beside its storage. */
export interface ArtefactHooks {
  /** The authorisation of the id was revoked: called before anything of it is removed. */
  readonly authorisationEnded: (authorisationId: string) => Promise<void>;
}

/**
 * The library's storage of one kind of artefact. Single use is one conditional update, so that of any number of
 * exchanges of one code at any number of processes one wins.
 */
export class ArtefactStore implements Adapter {
  constructor(
    private readonly model: string,
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly hooks: ArtefactHooks,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    // The id is the bearer value: it is nowhere in the row, not even sealed with itself.
    const { jti: _bearer, ...rest } = payload;
    const data = {
      model: this.model,
      payload: seal(keyOf(this.model, id), this.model, JSON.stringify(rest)),
      // A grant is of its own authorisation: with that, all that has its id goes (the migration `ended_authorisations`).
      grantId: this.model === 'Grant' ? id : (payload.grantId ?? null),
      expiresAt: new Date(this.clock.nowMs() + expiresIn * 1_000),
    };
    const key = hashed(this.model, id);
    if (this.model === 'ReplayDetection') return this.insertOnce({ key, ...data });
    await this.prisma.oidcArtefact.upsert({ where: { key }, create: { key, ...data }, update: data });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const row = await this.prisma.oidcArtefact.findUnique({ where: { key: hashed(this.model, id) } });
    if (row === null) return undefined;
    const payload = JSON.parse(open(keyOf(this.model, id), this.model, row.payload)) as AdapterPayload;
    return {
      ...payload,
      jti: id,
      ...(row.consumedAt !== null && { consumed: Math.floor(row.consumedAt.getTime() / 1_000) }),
    };
  }

  async consume(id: string): Promise<void> {
    const key = hashed(this.model, id);
    if (this.model === 'PushedAuthorizationRequest') {
      // It may be large, and nothing asks for it again: a journey ends once.
      const { count } = await this.prisma.oidcArtefact.deleteMany({ where: { key } });
      if (count === 0) throw new errors.InvalidRequestUri('the request_uri was used before');
      return;
    }
    const { count } = await this.prisma.oidcArtefact.updateMany({
      where: { key, consumedAt: null },
      data: { consumedAt: new Date(this.clock.nowMs()) },
    });
    if (count === 0) throw new errors.InvalidGrant('used before');
  }

  async destroy(id: string): Promise<void> {
    if (this.model === 'Grant') await this.hooks.authorisationEnded(id);
    await this.prisma.oidcArtefact.deleteMany({ where: { key: hashed(this.model, id) } });
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.prisma.oidcArtefact.deleteMany({ where: { model: this.model, grantId } });
  }

  /** Sessions are not kept (see {@link NoSessions}) and devices have no flow here. */
  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** The library looks first and inserts then, which two requests at once both pass: the database decides. */
  private async insertOnce(data: Prisma.OidcArtefactCreateInput): Promise<void> {
    try {
      await this.prisma.oidcArtefact.create({ data });
    } catch (error) {
      if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === uniqueViolation)
        throw new errors.InvalidClientAuth('client assertion tokens must only be used once');
      throw error;
    }
  }
}

/**
 * Every authorisation is a sign-in of its own: nothing of one journey is carried into another, so that two people, or two
 * windows, at one browser never meet.
 */
export class NoSessions implements Adapter {
  async upsert(): Promise<void> {}
  async find(): Promise<undefined> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
  async consume(): Promise<void> {}
  async destroy(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
}

/** Kept after its end, so that a code that comes again is known to be a replay. */
const codesKeptMs = 60 * 60_000;
/** Kept after its end for processes whose clock is behind: there an assertion may still be good. */
const assertionsKeptMs = 60_000;

/**
 * Removes at most `limit` artefacts whose time is over; gives how many. Waits for nobody: of a consent that ends at the same
 * moment, the database removes the same rows, and neither must be in the other's way.
 */
export async function sweepArtefacts(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  const [now, codes, assertions] = [0, codesKeptMs, assertionsKeptMs].map((keptMs) => new Date(nowMs - keptMs));
  return prisma.$executeRaw`DELETE FROM oidc_artefacts WHERE key IN (
    SELECT key FROM oidc_artefacts
    WHERE expires_at < ${now}::timestamp(3) AND CASE model
      WHEN 'AuthorizationCode' THEN expires_at < ${codes}::timestamp(3)
      WHEN 'ReplayDetection' THEN expires_at < ${assertions}::timestamp(3)
      ELSE true END
    LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
}
