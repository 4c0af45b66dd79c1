import { monotonicMs } from '../clock/monotonic.js';
import { asJson, EventLines } from './event-lines.js';
import { EventQueue, type Waiting } from './event-queue.js';
import type { AnyEvent, RequestEvent, SegmentEvent } from './event.js';
import { Fsyncs } from './fsyncs.js';
import { OpenSegment, type ClosedSegment } from './open-segment.js';
import { signOpening } from './opening.js';
import type { Closing } from './root-record.js';
import type { SegmentWriterParts } from './segment-writer.parts.js';
import { Trail, type TrailFault } from './trail.js';
import { UnprovenRequests } from './unproven-requests.js';
import { isWithdrawal, UnwrittenEvents } from './unwritten-events.js';

/** The most events of one write, in which their lines are put together. */
const mostInGroup = 1_000;
/** Each write wakes another thread, which costs as much as a dozen events. */
const flushEveryMs = 200;
const lookEveryMs = 250;
/** How long an event that was written may wait for its fsync before requests are refused. */
const mostUnsyncedMs = 1_000;
const touchEveryMs = 15_000;

/**
 * Writes the segments of this process, its events in groups: the caller of {@link record} never waits. At most a write and an
 * fsync are under way, so that a disk that hangs does not take all of Node's threads.
 */
export class SegmentWriter extends Trail {
  readonly fault: TrailFault;
  readonly instance: string;
  writtenEvents = 0;
  /** Segments that could not be closed. */
  readonly left: string[] = [];
  /** Called with each segment that was closed. */
  onClosed: (closed: ClosedSegment) => void = () => undefined;

  private segment: OpenSegment | undefined;
  private readonly waiting = new EventQueue();
  private readonly unproven = new UnprovenRequests();
  private readonly unwritten = new UnwrittenEvents();
  private writing: Promise<void> | undefined;
  private readonly fsyncs = new Fsyncs();
  private failing = false;
  private checkedAtMs = 0;
  private touchedAtMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly lines: EventLines;

  constructor(private readonly parts: SegmentWriterParts) {
    super();
    this.fault = parts.fault;
    this.instance = parts.instance;
    this.lines = new EventLines(parts.instance, parts.release, parts.key.macKey);
  }

  /** Writes from now on, whether or not events come. */
  start(): void {
    const tick = (): void => {
      for (const event of this.unproven.take(monotonicMs())) this.record(event, false);
      void this.flush();
      if (this.fsyncs.isDue) void this.sync();
    };
    this.timer ??= setInterval(tick, flushEveryMs).unref();
  }

  override nowMs(): number {
    return this.parts.clock.nowMs();
  }

  override get mustRefuse(): boolean {
    return this.fault === 'refuse' && (this.failing || this.fsyncs.lateMs > mostUnsyncedMs);
  }

  get lagMs(): number {
    return Math.max(this.waiting.lagMs, this.unwritten.lagMs);
  }

  get lostEvents(): number {
    return this.unwritten.lost;
  }

  override unlessCounted(event: RequestEvent): RequestEvent | undefined {
    return this.unproven.unlessCounted(event, monotonicMs());
  }

  override record(event: AnyEvent, isProven = true, done?: Waiting['done']): void {
    // Not when the group is written: the JSON of a group takes milliseconds, in which no request is answered.
    if (!this.waiting.add({ ...asJson(event), isProven, done }))
      this.unwritten.reject([{ event, done }], new Error('the disk hangs'));
  }

  override written(event: AnyEvent, isProven = true): Promise<void> {
    return new Promise((resolve, reject) => {
      this.record(event, isProven, (error) => (error === undefined ? resolve() : reject(error)));
      // Those that come meanwhile are written with the next group.
      void this.flush();
    });
  }

  /** Writes all that waits. */
  flush(): Promise<void> {
    for (const event of this.unwritten.take()) this.record(event, true, () => undefined);
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
      // One that came after the last look must not wait for the next.
      if (this.waiting.length > 0) void this.flush();
    });
    return this.writing;
  }

  /** Writes all that waits, and closes the segment. An event that comes later opens another segment. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    for (const event of this.unproven.take(Infinity)) this.record(event, false);
    do await this.flush();
    while (this.waiting.length > 0);
    await this.fsyncs.underWay;
    await this.end('stop');
  }

  private async writeAll(): Promise<void> {
    do {
      const group = this.waiting.first(mostInGroup);
      try {
        const segment = await this.present(group);
        if (segment === undefined) return;
        const taken = group.slice(0, segment.room);
        this.waiting.remove(taken);
        await this.write(segment, taken);
      } catch (error) {
        this.fail(error);
        // Nothing can be opened: the events are lost now, and not an unknown time later.
        this.waiting.remove(group);
        this.unwritten.reject(group, error as Error);
      }
    } while (this.waiting.length > 0);
  }

  private async write(segment: OpenSegment, taken: readonly Waiting[]): Promise<void> {
    if (taken.length === 0) return;
    const lost = this.unwritten.untold;
    const lines = this.lines.make(segment, taken, lost > 0 ? `"lost":${lost},` : '');
    this.fsyncs.wrote();
    try {
      await segment.append(lines, taken);
    } catch (error) {
      this.fail(error);
      this.unwritten.reject(taken, error as Error);
      if (segment.isSpoiled) await this.leave(segment);
      return;
    }
    this.unwritten.untold -= lost;
    this.writtenEvents += taken.length;
    this.succeed();
    if (!taken.some(({ done }) => done)) return;
    // One that began before the write may have left these lines out.
    const fault = (await this.fsyncs.underWay) ?? (await this.sync());
    this.unwritten.settle(taken, fault);
  }

  /** The segment for the next event: a new one where the present one has ended, or was taken away. */
  private async present(group: readonly Waiting[]): Promise<OpenSegment | undefined> {
    const nowMs = this.nowMs();
    const over = this.segment?.closingAt(nowMs);
    if (over !== undefined) await this.end(over);
    // A withdrawal must not be acknowledged while it stands in a file that was removed.
    const mustLook = monotonicMs() - this.checkedAtMs >= lookEveryMs || group.some(isWithdrawal);
    if (this.segment !== undefined && mustLook) await this.look(this.segment);
    if (this.segment === undefined && (group.length > 0 || this.failing)) this.segment = await this.begin(nowMs);
    return this.segment;
  }

  private async look(segment: OpenSegment): Promise<void> {
    if (!(await segment.isUnmoved())) {
      this.segment = undefined;
      return segment.leave();
    }
    this.checkedAtMs = monotonicMs();
    if (this.checkedAtMs - this.touchedAtMs < touchEveryMs) return;
    await segment.touch();
    this.touchedAtMs = this.checkedAtMs;
  }

  private async begin(nowMs: number): Promise<OpenSegment> {
    const { directory, instance, open, key } = this.parts;
    const at = new Date(nowMs);
    const segment = await OpenSegment.create(directory, at, instance, open);
    const opening: SegmentEvent = {
      kind: 'segment',
      id: segment.segment,
      at: at.toISOString(),
      process: this.parts.process,
      ...signOpening(segment.segment, key),
    };
    const first = [asJson(opening)];
    const lost = this.unwritten.untold;
    try {
      await segment.append(this.lines.make(segment, first, lost > 0 ? `"lostBefore":${lost},` : ''), first);
    } catch (error) {
      await segment.leave();
      throw error;
    }
    this.unwritten.untold -= lost;
    this.checkedAtMs = this.touchedAtMs = monotonicMs();
    this.succeed();
    return segment;
  }

  private async end(closed: Closing): Promise<void> {
    const { segment } = this;
    if (segment === undefined) return;
    this.segment = undefined;
    try {
      const ended = await segment.close(closed);
      this.fsyncs.done();
      this.onClosed(ended);
    } catch (error) {
      this.fail(error);
      this.left.push(segment.segment);
    }
  }

  private async leave(segment: OpenSegment): Promise<void> {
    this.segment = undefined;
    this.left.push(segment.segment);
    await segment.leave().catch(() => undefined);
  }

  /** After a failed fsync the next one proves nothing about the lines before it: another segment begins. */
  private async sync(): Promise<Error | undefined> {
    const { segment } = this;
    if (segment === undefined) return undefined;
    const fault = await this.fsyncs.force(segment);
    // A segment that was closed meanwhile was forced to the disk then.
    if (fault === undefined || this.segment !== segment) return undefined;
    this.fail(fault);
    await this.leave(segment);
    return fault;
  }

  private fail(error: unknown): void {
    if (!this.failing) this.parts.watch.failing(error);
    this.failing = true;
  }

  private succeed(): void {
    if (this.failing) this.parts.watch.recovered(this.lostEvents);
    this.failing = false;
  }
}
