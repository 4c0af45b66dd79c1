import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';

/** Written by `npm run bench -- --keep`, and by nothing else. */
export const measuredFile = join(packageRoot(), 'operations/size/measured.json');

interface Run {
  /** UTC: `2026-11-24`. */
  readonly date: string;
  readonly machine: {
    readonly processors: number;
    readonly model: string;
    readonly node: string;
    /** The mean of one minute, when the figures were written. Above `processors` the machine was shared. */
    readonly loadAverage: number;
  };
}

/** The figures of the bench from which `npm run size` reckons. A read of a consent that is not in memory has its sixth of a refreshed token. */
export interface Measured {
  readonly 'uk-day': Run & {
    readonly postgresql: string;
    readonly consents: number;
    /** All rows of those consents: tables and indexes. */
    readonly databaseBytes: number;
    readonly indexBytes: number;
    /** Reads that were due, and that were answered, a second. */
    readonly readsDue: number;
    readonly readsAnswered: number;
    readonly p50Ms: number;
    readonly p99Ms: number;
    /** Processor time of the gateway's process for a read: with a consent that is in memory, and with one that is not. */
    readonly gatewayMsHot: number;
    readonly gatewayMsCold: number;
    readonly databaseMs: number;
    readonly walBytes: number;
    readonly trailBytes: number;
    /** The most that the gateway's process held. */
    readonly gatewayMegabytes: number;
    readonly connections: number;
  };
  readonly questions: Run & {
    /** An event in the trail's segments, and in their index. */
    readonly segmentBytes: number;
    readonly parquetBytes: number;
  };
}
