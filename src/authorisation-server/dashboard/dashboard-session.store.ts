import { Injectable } from '@nestjs/common';
import type { AuthenticatedCustomer } from '../../../packages/customer-authentication/customer-authentication.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import { hashed, keyOf, open, seal } from '../sealing.js';

/** The time without activity after which a session of the dashboard ends. */
export const dashboardIdleMs = 5 * 60_000;
/** A session ends after this time, however often it is used: the customer authenticates again. */
export const dashboardLongestMs = 60 * 60_000;

const kind = 'DashboardSession';

/** Sealed in the row. */
type StoredSession = AuthenticatedCustomer & { readonly begunAtMs: number };

/** The sessions of the dashboard, by the bearer value of a cookie; for all processes. */
@Injectable()
export class DashboardSessionStore {
  constructor(private readonly prisma: PrismaService) {}

  async begin(
    bearer: string,
    { customerRef, customerRefs, displayName }: AuthenticatedCustomer,
    nowMs: number,
  ): Promise<void> {
    await this.prisma.dashboardSession.create({
      data: {
        key: hashed(kind, bearer),
        customer: seal(
          keyOf(kind, bearer),
          kind,
          JSON.stringify({ customerRef, customerRefs, displayName, begunAtMs: nowMs }),
        ),
        expiresAt: new Date(nowMs + dashboardIdleMs),
      },
    });
  }

  /** The customer of a session, whose idle time begins again; `undefined` once the session is over. */
  async use(bearer: string, nowMs: number): Promise<AuthenticatedCustomer | undefined> {
    const [row] = await this.prisma.dashboardSession.updateManyAndReturn({
      where: { key: hashed(kind, bearer), expiresAt: { gt: new Date(nowMs) } },
      data: { expiresAt: new Date(nowMs + dashboardIdleMs) },
    });
    if (row === undefined) return undefined;
    const { begunAtMs, ...customer } = JSON.parse(open(keyOf(kind, bearer), kind, row.customer)) as StoredSession;
    if (nowMs < begunAtMs + dashboardLongestMs) return customer;
    await this.end(bearer);
    return undefined;
  }

  async end(bearer: string): Promise<void> {
    await this.prisma.dashboardSession.deleteMany({ where: { key: hashed(kind, bearer) } });
  }
}

/** Removes at most `limit` sessions that are over; gives their number. */
export async function sweepDashboardSessions(prisma: PrismaService, nowMs: number, limit: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM dashboard_sessions WHERE key IN (
    SELECT key FROM dashboard_sessions WHERE expires_at < ${new Date(nowMs)} LIMIT ${limit})`;
}
