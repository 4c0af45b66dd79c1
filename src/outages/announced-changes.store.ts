import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PrismaService } from '../persistence/prisma.service.js';
import { changeKinds, type AnnouncedChange, type ChangeKind } from './announced-change.js';

/** More than a bank announces: an answer does not grow with the years. */
const mostListed = 100;

interface Row {
  readonly changeId: string;
  readonly fromAt: Date;
  readonly kind: string;
  readonly text: string;
  readonly link: string | null;
}

@Injectable()
export class AnnouncedChangesStore {
  constructor(private readonly prisma: PrismaService) {}

  /** Those that take effect after this instant, in their order. */
  async after(instant: Date): Promise<readonly AnnouncedChange[]> {
    const rows = await this.prisma.announcedChange.findMany({
      where: { fromAt: { gt: instant } },
      orderBy: { fromAt: 'asc' },
      take: mostListed,
    });
    return rows.map(changeOf);
  }

  /** The latest, those that took effect long ago too, the last one first. */
  async latest(): Promise<readonly AnnouncedChange[]> {
    const rows = await this.prisma.announcedChange.findMany({ orderBy: { fromAt: 'desc' }, take: mostListed });
    return rows.map(changeOf);
  }

  async add({ fromMs, ...rest }: Omit<AnnouncedChange, 'id'>, announcedAt: Date): Promise<AnnouncedChange> {
    const data = { changeId: randomUUID(), fromAt: new Date(fromMs), ...rest, announcedAt };
    return changeOf(await this.prisma.announcedChange.create({ data }));
  }

  /** The removed one; `undefined` where no change has the id. */
  async remove(changeId: string): Promise<AnnouncedChange | undefined> {
    if (changeId.includes('\0')) return undefined;
    const [row] = await this.prisma.$queryRaw<Row[]>`
      DELETE FROM announced_changes WHERE change_id = ${changeId}
      RETURNING change_id AS "changeId", from_at AS "fromAt", kind, text, link`;
    return row && changeOf(row);
  }
}

function changeOf({ changeId, fromAt, kind, text, link }: Row): AnnouncedChange {
  return {
    id: changeId,
    fromMs: fromAt.getTime(),
    // A kind of a later release is a change in any case.
    kind: changeKinds.find((known): known is ChangeKind => known === kind) ?? 'CHANGE',
    text,
    ...(link !== null && { link }),
  };
}
