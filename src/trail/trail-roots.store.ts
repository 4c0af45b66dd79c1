import { Injectable } from '@nestjs/common';
import { PrismaService } from '../persistence/prisma.service.js';
import type { ChainRecord } from './root-record.js';

/** The key of the advisory lock under which the chain grows by one record at a time. */
const chainLock = 7_269_701;

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
      const known = await transaction.trailRoot.findUnique({ where: { segment: id } });
      if (known !== null) return recordOf(known);
      const last = await transaction.trailRoot.findFirst({ orderBy: { sequence: 'desc' } });
      const record = make(last === null ? undefined : recordOf(last));
      const { sequence, previous } = record;
      await transaction.trailRoot.create({ data: { segment: id, sequence, previous, record: { ...record } } });
      return record;
    });
  }
}

function recordOf({ record }: { readonly record: unknown }): ChainRecord {
  return record as ChainRecord;
}
