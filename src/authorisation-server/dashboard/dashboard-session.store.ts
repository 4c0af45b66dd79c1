import { Injectable } from '@nestjs/common';
import { Type } from 'typebox';
import type { AuthenticatedCustomer } from '../../../packages/customer-authentication/customer-authentication.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import { SealedState } from '../sealed-state.js';

/** The time without activity after which a session of the dashboard ends. */
export const dashboardIdleMs = 5 * 60_000;
/** A session ends after this time, however often it is used: the customer authenticates again. */
export const dashboardLongestMs = 60 * 60_000;

const sealed = new SealedState(
  'DashboardSession',
  1,
  Type.Object(
    {
      customerRef: Type.String(),
      customerRefs: Type.Optional(Type.Record(Type.String(), Type.String())),
      displayName: Type.String(),
      begunAtMs: Type.Number(),
    },
    { additionalProperties: false },
  ),
);

/** The sessions of the dashboard, by the bearer value of a cookie; for all processes. */
@Injectable()
export class DashboardSessionStore {
  constructor(private readonly prisma: PrismaService) {}

  async begin(
    bearer: string,
    { customerRef, customerRefs, displayName }: AuthenticatedCustomer,
    nowMs: number,
  ): Promise<void> {
    const session = { customerRef, ...(customerRefs && { customerRefs }), displayName, begunAtMs: nowMs };
    await this.prisma.dashboardSession.create({
      data: {
        key: sealed.keyOf(bearer),
        customer: sealed.seal(bearer, session),
        expiresAt: new Date(nowMs + dashboardIdleMs),
      },
    });
  }

  /** The customer of a session, whose idle time begins again; `undefined` once the session has ended. */
  async use(bearer: string, nowMs: number): Promise<AuthenticatedCustomer | undefined> {
    const [row] = await this.prisma.dashboardSession.updateManyAndReturn({
      where: { key: sealed.keyOf(bearer), expiresAt: { gt: new Date(nowMs) } },
      data: { expiresAt: new Date(nowMs + dashboardIdleMs) },
    });
    if (row === undefined) return undefined;
    const session = sealed.open(bearer, row.customer);
    if (session !== undefined && nowMs < session.begunAtMs + dashboardLongestMs) {
      const { begunAtMs: _begun, ...customer } = session;
      return customer;
    }
    await this.end(bearer);
    return undefined;
  }

  async end(bearer: string): Promise<void> {
    await this.prisma.dashboardSession.deleteMany({ where: { key: sealed.keyOf(bearer) } });
  }
}

/** Removes at most `limit` sessions that have ended; gives their number. */
export async function sweepDashboardSessions(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM dashboard_sessions WHERE key IN (
    SELECT key FROM dashboard_sessions WHERE expires_at < ${new Date(nowMs)} LIMIT ${limit})`;
}
