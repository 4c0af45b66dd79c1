import { Injectable } from '@nestjs/common';
import { decodeJwt, type JWTPayload } from 'jose';
import type { ClientMetadata } from 'oidc-provider';
import { Clock } from '../../clock/clock.js';
import { WithdrawalLog, withdrawalOfTpp } from '../../consents/withdrawal-log.js';
import type { ApiScope } from '../../open-banking/scopes.js';
import { embeddedIssuer, tppId } from '../../open-banking/tpp-id.js';
import { Prisma, type Tpp as TppRow } from '../../../prisma/client/client.js';
import { CachedRows } from '../../persistence/cached-rows.js';
import { columnsOf } from '../../persistence/columns.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import { isUniqueViolation } from '../../persistence/unique-violation.js';
import type { Before } from '../../security/tpp-standing.store.js';
import { agentIn } from './agent-name.policy.js';
import { registrationIdIn, scopesIn } from './software-statement.policy.js';

/** A TPP that may use the authorization server. */
export interface Tpp {
  readonly clientId: string;
  /** As customers know it. */
  readonly name: string;
  /** Acts on behalf of the TPP, by its software statement. */
  readonly agent?: string;
  /** A deleted TPP is kept for its name only, and never acts again. `TppStandingStore` has the TPPs that are suspended. */
  readonly status: 'registered' | 'deleted';
  /** The TPP's registered metadata: RFC 7591, and `fapi_profile`. */
  readonly metadata: ClientMetadata;
  /** Only for a TPP that registered itself by a software statement. */
  readonly software?: RegisteredSoftware;
}

export interface RegisteredSoftware {
  readonly softwareId: string;
  readonly organisationId: string;
  /** The competent authority's number of the organisation, by the statement. */
  readonly registrationId?: string;
  /** The statement itself, a JWT. */
  readonly statement: string;
  readonly expiresAt?: Date;
  /** The scopes of the API for which the statement has the roles. */
  readonly scopes: readonly ApiScope[];
  /** When the directory first withdrew the statement. */
  readonly withdrawnAt?: Date;
  readonly registeredAt: Date;
}

/** A TPP that registers itself or renews its registration. */
export type SelfRegistered = Omit<Tpp, 'status' | 'agent' | 'software'> & {
  readonly software: Omit<RegisteredSoftware, 'registrationId' | 'scopes' | 'withdrawnAt' | 'registeredAt'>;
};

const tppColumns = columnsOf(Prisma.TppScalarFieldEnum);
const notDeleted = { status: { not: 'deleted' } };
/** A deleted TPP keeps its name, which the pages of customers show. */
export const deletedColumns = {
  status: 'deleted',
  softwareId: null,
  organisationId: null,
  statement: null,
  statementExpiresAt: null,
  withdrawnAt: null,
  checkedAt: null,
} as const;

/** The TPPs that are registered here. */
@Injectable()
export class TppStore {
  private readonly cache = new CachedRows((clientId) => this.find(clientId));

  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly withdrawals: WithdrawalLog,
  ) {}

  /** The TPP, also a suspended one; `undefined` when it is unknown. */
  async find(clientId: string): Promise<Tpp | undefined> {
    if (clientId.includes('\0')) return undefined;
    const [row] = await this.prisma.$queryRaw<TppRow[]>`SELECT ${tppColumns} FROM tpps WHERE client_id = ${clientId}`;
    return row && toTpp(row);
  }

  /** For each request: the TPP as read in the last second, if `permits` holds for it; otherwise read again. */
  findForCheck(clientId: string, permits: (tpp: Tpp) => boolean): Promise<Tpp | undefined> {
    return this.cache.find(clientId, permits);
  }

  /** The known TPPs among these, also deleted ones, in one statement. */
  async findAll(clientIds: readonly string[]): Promise<readonly Tpp[]> {
    if (clientIds.length === 0) return [];
    return (await this.prisma.tpp.findMany({ where: { clientId: { in: [...clientIds] } } })).map(toTpp);
  }

  async findBySoftware(softwareId: string): Promise<Tpp | undefined> {
    const row = await this.prisma.tpp.findUnique({ where: { softwareId } });
    return row === null ? undefined : toTpp(row);
  }

  /** Registers or changes a TPP of the bank's file. */
  async save({ clientId, name, status, metadata }: Tpp, before?: Before): Promise<void> {
    const now = this.now();
    const update = { ...columns({ name, metadata }), updatedAt: now };
    const create = { clientId, ...update, status, createdAt: now };
    await this.prisma.$transaction(async (transaction) => {
      await before?.(transaction);
      await transaction.tpp.upsert({ where: { clientId }, create, update });
    });
    this.cache.forget(clientId);
  }

  /** Registers a new TPP. False when another TPP is registered for the software. */
  async enrol(tpp: SelfRegistered): Promise<boolean> {
    const now = this.now();
    const { clientId } = tpp;
    const data = { ...columns(tpp), ...softwareColumns(tpp.software, now), updatedAt: now };
    try {
      await this.prisma.tpp.create({ data: { clientId, status: 'registered', createdAt: now, ...data } });
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
    this.cache.forget(clientId);
    return true;
  }

  /** Replaces statement and metadata. False where the present statement is not `before` (any more), or the TPP was deleted. */
  async renew(tpp: SelfRegistered, before: string): Promise<boolean> {
    const now = this.now();
    const { clientId, software } = tpp;
    const { count } = await this.prisma.tpp.updateMany({
      where: { clientId, softwareId: software.softwareId, statement: before },
      data: { ...columns(tpp), ...softwareColumns(software, now), updatedAt: now },
    });
    this.cache.forget(clientId);
    return count === 1;
  }

  /** Deletes the TPP. Its software may register again, as a new TPP. `sweepDeletedTpps` removes its data. */
  async remove(clientId: string): Promise<void> {
    const now = this.now();
    const data = { ...deletedColumns, updatedAt: now };
    const withdrawal = withdrawalOfTpp('tpp-deleted', tppId(embeddedIssuer, clientId), now);
    await this.withdrawals
      .withdraw(withdrawal, () => this.prisma.tpp.updateMany({ where: { clientId }, data }))
      .finally(() => this.cache.forget(clientId));
  }

  /** All that are not deleted. */
  async list(): Promise<readonly Tpp[]> {
    return (await this.prisma.tpp.findMany({ where: notDeleted, orderBy: { clientId: 'asc' } })).map(toTpp);
  }

  /**
   * Claims a TPP for this process to ask the directory about: it was last asked about before `before`. One of several
   * processes gets it. `undefined` when no TPP is due.
   */
  async takeForCheck(before: Date): Promise<Tpp | undefined> {
    for (;;) {
      const row = await this.prisma.tpp.findFirst({
        where: { checkedAt: { lt: before } },
        orderBy: { checkedAt: 'asc' },
      });
      if (row === null) return undefined;
      const { clientId, checkedAt } = row;
      const { count } = await this.prisma.tpp.updateMany({
        where: { clientId, checkedAt },
        data: { checkedAt: this.now() },
      });
      if (count === 1) return toTpp(row);
    }
  }

  /** Stores the directory's present answer about the TPP's software: a newer statement, or `undefined` for an unknown TPP. */
  async recordDirectoryAnswer(
    { clientId, software }: Tpp,
    current: Pick<RegisteredSoftware, 'statement' | 'expiresAt'> | undefined,
  ): Promise<void> {
    const now = this.now();
    await this.prisma.tpp.updateMany({
      where: { clientId, softwareId: software?.softwareId ?? '' },
      data: {
        updatedAt: now,
        ...(current === undefined
          ? { withdrawnAt: software?.withdrawnAt ?? now }
          : { withdrawnAt: null, statement: current.statement, statementExpiresAt: current.expiresAt ?? null }),
      },
    });
    this.cache.forget(clientId);
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}

function columns({ name, metadata }: Pick<Tpp, 'name' | 'metadata'>) {
  return { name, metadata: metadata as Prisma.InputJsonObject };
}

function softwareColumns(software: SelfRegistered['software'], now: Date) {
  const { softwareId, organisationId, statement, expiresAt: statementExpiresAt = null } = software;
  return { softwareId, organisationId, statement, statementExpiresAt, withdrawnAt: null, checkedAt: now };
}

function toTpp(row: TppRow): Tpp {
  const { clientId, name, status, metadata } = row;
  const claims = row.statement === null ? {} : decodeJwt(row.statement);
  const agent = agentIn(claims, name);
  const software = softwareOf(row, claims);
  return {
    clientId,
    name,
    ...(agent !== undefined && { agent }),
    status: status === 'deleted' ? status : 'registered',
    metadata: { ...(metadata as object), client_id: clientId },
    ...(software !== undefined && { software }),
  };
}

function softwareOf(row: TppRow, claims: JWTPayload): RegisteredSoftware | undefined {
  const { softwareId, organisationId, statement, statementExpiresAt, withdrawnAt, createdAt } = row;
  if (softwareId === null || organisationId === null || statement === null) return undefined;
  const registrationId = registrationIdIn(claims);
  return {
    softwareId,
    // The directory's last statement counts, also where it names another organisation than at the registration.
    organisationId: typeof claims['org_id'] === 'string' ? claims['org_id'] : organisationId,
    ...(registrationId !== undefined && { registrationId }),
    statement,
    ...(statementExpiresAt !== null && { expiresAt: statementExpiresAt }),
    scopes: scopesIn(claims),
    ...(withdrawnAt !== null && { withdrawnAt }),
    registeredAt: createdAt,
  };
}
