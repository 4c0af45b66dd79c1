import { randomBytes, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Clock } from '../src/clock/clock.js';
import { packageVersion } from '../src/persistence/package-root.js';
import { processMark } from '../src/persistence/process-mark.js';
import type { OperatorEvent } from '../src/trail/operator-event.js';
import { pseudonymOfCustomer } from '../src/trail/pseudonyms.js';
import { trailKey } from '../src/trail/root-record.js';
import { instanceName } from '../src/trail/segment-names.js';
import { SegmentWriter } from '../src/trail/segment-writer.js';

/** A command of an operator that no gateway records, because it works past them. */
export interface CarriedOut {
  readonly command: string;
  readonly outcome: OperatorEvent['outcome'];
  readonly customerRef?: string | undefined;
}

export interface CommandTrailParts {
  /** The trail of the gateways on this machine. */
  readonly directory: string;
  readonly clock: Clock;
  /** TRAIL_KEY of the gateways, which root no segment that another key began. */
  readonly key: string | undefined;
  /** Absent: the event names no customer. */
  readonly pseudonymKey?: string | undefined;
}

/**
 * Writes the event of a command into a separate segment, which a gateway puts under its root. The command makes no folder for a
 * trail, and does not write into another user's folder: the gateway could not write there any more.
 * @throws Error where the event could not be written; its message says why
 */
export async function recordCommand(
  { command, outcome, customerRef }: CarriedOut,
  { directory, clock, key, pseudonymKey }: CommandTrailParts,
): Promise<void> {
  const owner = await stat(directory).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the trail ${directory} cannot be found (${error.code})`);
  });
  if (process.getuid !== undefined && owner.uid !== process.getuid())
    throw new Error(`the trail ${directory} is another user's`);
  if (key === undefined) throw new Error('TRAIL_KEY is not set: it must be that of the gateways');
  const writer = new SegmentWriter({
    directory,
    fault: 'count',
    clock,
    process: processMark(),
    release: packageVersion(),
    key: trailKey(key),
    instance: instanceName(hostname(), process.pid, randomBytes(4).toString('hex')),
    watch: { failing: () => undefined, recovered: () => undefined },
  });
  const target =
    customerRef !== undefined && pseudonymKey !== undefined
      ? { customer: pseudonymOfCustomer(pseudonymKey, customerRef) }
      : undefined;
  const at = new Date(clock.nowMs()).toISOString();
  const written = writer.written({ kind: 'operator', id: randomUUID(), at, command, by: 'bank', outcome, target });
  await written.catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the trail ${directory} cannot be written (${error.code ?? error.name})`);
  });
  await writer.close();
}
