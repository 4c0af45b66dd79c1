import { Injectable } from '@nestjs/common';
import { PrismaService } from '../persistence/prisma.service.js';
import { chainLock, type ChainRecord } from './root-record.js';

/** The one chain of a trail's records, which all processes of one database share. The database changes and deletes none. */
@Injectable()
export class TrailRootsStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * Appends a record, once: a second call with the same id gets the record of the first.
   * @param id of the segment
   * @param make makes the record that comes after this one
   */
  append(id: string, make: (before: ChainRecord | undefined) => ChainRecord): Promise<ChainRecord> {
    return this.prisma.$transaction(async (transaction) => {
      await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${chainLock})`;
      const stored = await transaction.trailRoot.findUnique({ where: { segment: id } });
      if (stored !== null) return recordOf(stored);
      const last = await transaction.trailRoot.findFirst({ orderBy: { sequence: 'desc' } });
      const record = make(last === null ? undefined : recordOf(last));
      const { sequence, previous } = record;
      await transaction.trailRoot.create({ data: { segment: id, sequence, previous, record: { ...record } } });
      return record;
    });
  }

  /** The days before this one that have roots: those that a record says are dropped, and the others. */
  async daysBefore(
    day: string,
  ): Promise<{ readonly recorded: readonly string[]; readonly unrecorded: readonly string[] }> {
    const rows = await this.prisma.$queryRaw<{ day: string; recorded: boolean }[]>`
      SELECT day, EXISTS (SELECT FROM trail_roots WHERE segment = 'dropped.' || day) AS recorded
      FROM (SELECT DISTINCT record->>'day' AS day FROM trail_roots) AS days WHERE day < ${day}`;
    const daysThat = (are: boolean) => rows.flatMap((row) => (row.recorded === are ? [row.day] : []));
    return { recorded: daysThat(true), unrecorded: daysThat(false) };
  }

  /** The roots of the segments of a day, in their order. */
  async recordsOfDay(day: string): Promise<ChainRecord[]> {
    const rows = await this.prisma.$queryRaw<{ record: unknown }[]>`
      SELECT record FROM trail_roots WHERE record->>'day' = ${day} ORDER BY sequence`;
    return rows.map(recordOf);
  }
}

function recordOf({ record }: { readonly record: unknown }): ChainRecord {
  return record as ChainRecord;
}
