import { stat } from 'node:fs/promises';
import type { CoreClock, CoreLogger } from '../../../../packages/core-adapter/core-services.js';
import { CoreError, isCoreError } from '../../../../packages/core-adapter/core-error.js';
import type { FeedSettings } from './feed.settings.js';
import { type RunQuery, late, Replica } from './replica.js';
import { currentReplica, pointerPath } from './replica-folder.js';

/** Reads from the replica in use, and takes the next one as soon as a load has put it into use. */
export class Replicas {
  private current?: { readonly replica: Replica; readonly mark: string };
  private opening?: Promise<Replica>;
  private isClosed = false;

  constructor(
    private readonly settings: FeedSettings,
    private readonly services: { readonly clock: CoreClock; readonly logger: CoreLogger },
  ) {}

  /** @throws CoreError `stale` where the data are too old */
  async read<T>(signal: AbortSignal, read: (ask: RunQuery) => Promise<T>): Promise<T> {
    if (signal.aborted) throw late();
    const replica = await this.fresh();
    if (signal.aborted) throw late();
    this.refuseStale(replica);
    return this.guarded(() => replica.use(signal, read));
  }

  close(): void {
    this.isClosed = true;
    this.current?.replica.retire();
    delete this.current;
  }

  private refuseStale({ facts }: Replica): void {
    const ageMs = this.services.clock.nowMs() - facts.asOfMs;
    if (ageMs > this.settings.maxAgeMs)
      throw new CoreError(
        'stale',
        `its data are of ${new Date(facts.asOfMs).toISOString()}, older than CORE_FEED_MAX_AGE`,
      );
  }

  /** The replica in use now. One look at the pointer for each read; a rename gives it another inode. */
  private async fresh(): Promise<Replica> {
    if (this.isClosed) throw new CoreError('unavailable', 'the adapter was closed');
    const mark = await this.mark();
    if (this.isClosed) throw new CoreError('unavailable', 'the adapter was closed');
    if (this.current?.mark === mark) return this.current.replica;
    return (this.opening ??= this.open(mark).finally(() => delete this.opening));
  }

  private async mark(): Promise<string> {
    try {
      const { ino, mtimeNs } = await stat(pointerPath(this.settings.folder), { bigint: true });
      return `${ino} ${mtimeNs}`;
    } catch (error) {
      if ((error as { readonly code?: string }).code === 'ENOENT')
        throw new CoreError('stale', 'no delivery has been loaded yet: feed load takes one');
      throw new CoreError('unavailable', 'the folder of the replica cannot be read');
    }
  }

  private async open(mark: string): Promise<Replica> {
    const replica = await this.guarded(async () => {
      const name = await currentReplica(this.settings.folder);
      if (name === undefined) throw new CoreError('stale', 'no delivery has been loaded yet: feed load takes one');
      return Replica.open(this.settings.folder, name);
    });
    const missingParts = Object.keys(this.settings.file.parts).filter(
      (part) => !replica.facts.parts.some((one) => one === part),
    );
    if (this.isClosed || missingParts.length > 0) {
      replica.retire();
      if (this.isClosed) throw new CoreError('unavailable', 'the adapter was closed');
      throw new CoreError(
        'stale',
        `the delivery in use was loaded without ${missingParts.join(', ')}: load one with them`,
      );
    }
    this.current?.replica.retire();
    this.current = { replica, mark };
    const asOf = new Date(replica.facts.asOfMs).toISOString();
    this.services.logger.info({ delivery: replica.facts.id, asOf }, 'a delivery is in use');
    return replica;
  }

  /** The engine's own words may quote a record. */
  private async guarded<T>(use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      if (isCoreError(error)) throw error;
      throw new CoreError('unavailable', 'the replica cannot be read: load a delivery again');
    }
  }
}
