import { Injectable } from '@nestjs/common';
import type { AuthenticatedCustomer } from '../../../packages/customer-authentication/customer-authentication.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import { dashboardIdleMs } from './dashboard.policy.js';
import { hashed, keyOf, open, seal } from '../sealing.js';

const kind = 'DashboardSession';

/** The sessions of the dashboard, by the bearer value of a cookie; for all processes. Swept with the journeys. */
@Injectable()
export class DashboardSessionStore {
  constructor(private readonly prisma: PrismaService) {}

  async begin(
    bearer: string,
    { customerRef, customerRefs, displayName }: AuthenticatedCustomer,
    nowMs: number,
  ): Promise<void> {
    await this.prisma.customerJourney.create({
      data: {
        key: hashed(kind, bearer),
        version: 1,
        state: seal(keyOf(kind, bearer), kind, JSON.stringify({ customerRef, customerRefs, displayName })),
        expiresAt: new Date(nowMs + dashboardIdleMs),
      },
    });
  }

  /** The customer of a session, whose idle time begins again; `undefined` once the session is over. */
  async use(bearer: string, nowMs: number): Promise<AuthenticatedCustomer | undefined> {
    const [row] = await this.prisma.customerJourney.updateManyAndReturn({
      where: { key: hashed(kind, bearer), expiresAt: { gt: new Date(nowMs) } },
      data: { expiresAt: new Date(nowMs + dashboardIdleMs) },
    });
    return row && (JSON.parse(open(keyOf(kind, bearer), kind, row.state)) as AuthenticatedCustomer);
  }

  async end(bearer: string): Promise<void> {
    await this.prisma.customerJourney.deleteMany({ where: { key: hashed(kind, bearer) } });
  }
}
