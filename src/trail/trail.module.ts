import { hostname } from 'node:os';
import { randomBytes } from 'node:crypto';
import { Module, type DynamicModule } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { Clock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig, type TrailConfig } from '../config/config.js';
import { faultRecord } from '../observability/fault-record.js';
import { LOG } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import { packageVersion } from '../persistence/package-root.js';
import { processMark } from '../persistence/process-mark.js';
import { trailKey } from './root-record.js';
import { instanceName } from './segment-names.js';
import { SegmentWriter } from './segment-writer.js';
import { TrailKeeper } from './trail-keeper.js';
import { TrailRoots } from './trail-roots.js';
import { TrailRootsStore } from './trail-roots.store.js';

/** The trail of this process. It takes events at once, and opens its first file for the first of them. */
export function openTrail({ directory, fault, key }: TrailConfig, clock: Clock, log: FastifyBaseLogger): SegmentWriter {
  return new SegmentWriter({
    directory,
    fault,
    clock,
    instance: instanceName(hostname(), process.pid, randomBytes(4).toString('hex')),
    process: processMark(),
    release: packageVersion(),
    key: trailKey(key),
    watch: {
      failing: (error) =>
        log.error(
          faultRecord(error),
          fault === 'refuse'
            ? 'the decision trail cannot be written: the gateway refuses requests until it can be written again'
            : 'the decision trail cannot be written: the gateway loses and counts events until it can be written again',
        ),
      recovered: (lost) => log.info({ lost }, 'the decision trail can be written again'),
    },
  });
}

/** The decision trail: its segments' end, and their roots. The trail itself is a value from before Nest. */
@Module({})
export class TrailModule {
  static forRoot(writer: SegmentWriter): DynamicModule {
    return {
      module: TrailModule,
      providers: [
        TrailRootsStore,
        {
          provide: TrailKeeper,
          inject: [GATEWAY_CONFIG, TrailRootsStore, Clock, LOG, Metrics],
          useFactory: (
            { trail }: GatewayConfig,
            chain: TrailRootsStore,
            clock: Clock,
            log: FastifyBaseLogger,
            metrics: Metrics,
          ) => keeperOf(writer, trail, { chain, clock, log, metrics }),
        },
      ],
      exports: [TrailKeeper],
    };
  }
}

function keeperOf(
  writer: SegmentWriter,
  { directory, key }: TrailConfig,
  parts: { chain: TrailRootsStore; clock: Clock; log: FastifyBaseLogger; metrics: Metrics },
): TrailKeeper {
  const { chain, clock, log, metrics } = parts;
  const roots = new TrailRoots({
    directory,
    key: trailKey(key),
    instance: writer.instance,
    chain,
    clock,
    onRecovered: ({ segment, events, cut = 0 }) =>
      log.warn({ segment, events, cut }, 'closed a segment of the decision trail that an ended process had left open'),
    onRefused: (path, why) => log.error({ path, why }, 'a file in TRAIL_DIR gets no root: no gateway wrote it'),
  });
  metrics.trail(() => ({
    written: writer.writtenEvents,
    lost: writer.lostEvents,
    lagSeconds: writer.lagMs / 1_000,
    unrooted: roots.waiting,
    refused: roots.refused,
  }));
  return new TrailKeeper(writer, roots, log);
}
