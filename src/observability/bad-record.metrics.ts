import { Counter, type Registry } from 'prom-client';
import type { BadRecord, UnreadField } from '../../packages/core-adapter/core.adapter.js';
import { badRecordsLine } from './bad-records-line.js';

interface Log {
  warn(record: object, message: string): void;
}

/** More than the port's records have. */
const mostFieldNames = 100;

/** Counts and logs what the core sent and no answer has, by its place and field and never by its value. */
export class BadRecordMetrics {
  private readonly bad: Counter<'core' | 'read' | 'field'>;
  private readonly fieldNames = new Set<string>();

  constructor(
    registry: Registry,
    private readonly log: Log,
  ) {
    this.bad = new Counter({
      name: 'gateway_core_bad_records_total',
      help: 'Records of the core that could not be read and were omitted; with `field`, optional fields of records that could',
      labelNames: ['core', 'read', 'field'],
      registers: [registry],
    });
  }

  records(core: string, read: string, bad: readonly BadRecord[], interactionId: string): void {
    this.bad.inc({ core, read }, bad.length);
    this.log.warn(
      { interactionId, core, read, ...badRecordsLine(bad) },
      'records of the core that cannot be read are not in the answer',
    );
  }

  fields(core: string, read: string, unread: readonly UnreadField[], interactionId: string): void {
    for (const { field } of unread) this.bad.inc({ core, read, field: this.label(field) });
    this.log.warn(
      { interactionId, core, read, ...badRecordsLine(unread) },
      'fields of the core’s records that cannot be read are not in the answer',
    );
  }

  /** The adapter chose the name. */
  private label(field: string): string {
    if (this.fieldNames.size < mostFieldNames && /^[a-z][a-z.]{0,39}$/i.test(field)) this.fieldNames.add(field);
    return this.fieldNames.has(field) ? field : 'other';
  }
}
