import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PrismaService } from '../persistence/prisma.service.js';
import type { PlannedOutage } from './planned-outage.js';

/** More than a bank plans: an answer does not grow with the years. */
const mostListed = 100;

interface Row {
  readonly outageId: string;
  readonly fromAt: Date;
  readonly toAt: Date;
  readonly text: string;
}

@Injectable()
export class PlannedOutagesStore {
  constructor(private readonly prisma: PrismaService) {}

  /** Those that have not ended, in their order. */
  async present(now: Date): Promise<readonly PlannedOutage[]> {
    const rows = await this.prisma.plannedOutage.findMany({
      where: { toAt: { gt: now } },
      orderBy: { fromAt: 'asc' },
      take: mostListed,
    });
    return rows.map(outageOf);
  }

  /** The latest, ended ones too, the last one first. */
  async latest(): Promise<readonly PlannedOutage[]> {
    const rows = await this.prisma.plannedOutage.findMany({ orderBy: { fromAt: 'desc' }, take: mostListed });
    return rows.map(outageOf);
  }

  /** `undefined` where it would overlap another, which another process may have added at the same moment. */
  async add(outage: Omit<PlannedOutage, 'id'>, now: Date): Promise<PlannedOutage | undefined> {
    const id = randomUUID();
    const { fromMs, toMs, text } = outage;
    const added = await this.prisma.$executeRaw`
      INSERT INTO planned_outages (outage_id, from_at, to_at, text, stated_at)
      VALUES (${id}, ${new Date(fromMs)}::timestamp(3), ${new Date(toMs)}::timestamp(3), ${text}, ${now}::timestamp(3))
      ON CONFLICT DO NOTHING`;
    return added === 1 ? { id, ...outage } : undefined;
  }

  async find(id: string): Promise<PlannedOutage | undefined> {
    const row = await this.prisma.plannedOutage.findUnique({ where: { outageId: id } });
    return row === null ? undefined : outageOf(row);
  }

  /** Removes one that has not begun. @returns whether this call did */
  async remove(id: string, now: Date): Promise<boolean> {
    const { count } = await this.prisma.plannedOutage.deleteMany({ where: { outageId: id, fromAt: { gt: now } } });
    return count === 1;
  }
}

function outageOf({ outageId, fromAt, toAt, text }: Row): PlannedOutage {
  return { id: outageId, fromMs: fromAt.getTime(), toMs: toAt.getTime(), text };
}
