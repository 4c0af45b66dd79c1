import type { Clock } from '../clock/clock.js';
import type { OpenFile } from './open-segment.js';
import type { TrailKey } from './root-record.js';
import type { TrailFault } from './trail.js';

export interface TrailWatch {
  /** Nothing can be written: called once, until a write succeeds. */
  failing(error: unknown): void;
  recovered(lost: number): void;
}

export interface SegmentWriterParts {
  readonly directory: string;
  readonly fault: TrailFault;
  readonly instance: string;
  readonly process: string;
  readonly release: string;
  /** Signs the first line of each segment. */
  readonly key: TrailKey;
  readonly clock: Clock;
  readonly watch: TrailWatch;
  readonly open?: OpenFile;
}
