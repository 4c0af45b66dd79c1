import { databaseLimits } from '../../src/config/database-config.js';
import type { Measured } from './measured.js';

/** The load for which a bank wants to know its machines. */
export interface Wanted {
  readonly consents: number;
  /** In a month. */
  readonly calls: number;
}

export interface Estimate {
  readonly callsPerSecond: { readonly mean: number; readonly peak: number };
  readonly gateway: { readonly processes: number; readonly cores: number; readonly memoryGigabytes: number };
  /** For each server: the primary and each standby. */
  readonly postgresql: {
    readonly cores: number;
    readonly memoryGigabytes: number;
    readonly diskGigabytes: number;
    readonly connections: number;
    /** To each standby, in the busiest hour. */
    readonly walMegabytesPerSecond: number;
  };
  /** A month. */
  readonly trail: { readonly segmentGigabytes: number; readonly indexGigabytes: number };
}

const secondsOfMonth = 30 * 86_400;
const peakOverMean = 3;
/** So that the rest of the processes carry the load of those that a failed machine or a release takes away. */
const busyAtMost = 0.5;
const leastProcesses = 2;
const leastCores = 2;
/** PostgreSQL's default: autovacuum comes when a fifth of the rows are dead. */
const withDeadRows = 1.2;
const leastMemoryGigabytes = 1;
/** One besides its pool, for its own checks. */
const connectionsOfProcess = databaseLimits.poolSize + 1;
const giga = 1_000_000_000;

/** The figures of `npm run size` that were not measured, in the words of its answer. */
export const assumptions: readonly string[] = [
  `a month has 30 days, and its busiest hour ${peakOverMean} times the mean of the month`,
  'calls come in bursts of six under one consent that no process has in memory, with a refreshed token; the core is not counted',
  `processors are busy to ${busyAtMost * 100} % in the busiest hour, so that the others carry what a failed machine leaves`,
  `a gateway's process uses one core; there are at least ${leastProcesses}, and a release runs one more for a while`,
  'processes and cores add up, and all are as fast as the measured ones',
  `PostgreSQL has at least ${leastCores} cores, all its indexes in memory, and a fifth more on disk than was measured, for dead rows`,
  `each process opens its whole pool, DATABASE_POOL_SIZE is ${databaseLimits.poolSize}, and one connection for its own checks`,
  'a read writes one event of the trail',
];

export function estimate({ consents, calls }: Wanted, { 'uk-day': load, questions }: Measured): Estimate {
  const mean = calls / secondsOfMonth;
  const peak = mean * peakOverMean;
  const coresOf = (milliseconds: number): number => (peak * milliseconds) / 1_000 / busyAtMost;
  const processes = Math.max(leastProcesses, Math.ceil(coresOf(load.gatewayMsCold)));
  const ofConsents = (bytes: number): number => (bytes / load.consents) * consents * withDeadRows;
  return {
    callsPerSecond: { mean, peak },
    gateway: { processes, cores: processes, memoryGigabytes: (processes * load.gatewayMegabytes) / 1_000 },
    postgresql: {
      cores: Math.max(leastCores, Math.ceil(coresOf(load.databaseMs))),
      memoryGigabytes: Math.max(leastMemoryGigabytes, ofConsents(load.indexBytes) / giga),
      diskGigabytes: ofConsents(load.databaseBytes) / giga,
      connections: (processes + 1) * connectionsOfProcess,
      walMegabytesPerSecond: (peak * load.walBytes) / 1_000_000,
    },
    trail: {
      segmentGigabytes: (calls * load.trailBytes) / giga,
      indexGigabytes: (calls * load.trailBytes * (questions.parquetBytes / questions.segmentBytes)) / giga,
    },
  };
}
