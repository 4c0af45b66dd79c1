import type { Clock } from '../clock/clock.js';
import { monotonicMs } from '../clock/monotonic.js';
import { eventVersion, mostLineBytes, type AnyEvent, type SegmentEvent } from './event.js';
import { OpenSegment, type Line, type OpenFile } from './open-segment.js';
import type { Closing, SegmentRoot } from './root-record.js';
import { Trail, type TrailFault } from './trail.js';

const hourMs = 3_600_000;
/** The most events of one segment, its first line included. */
const mostEvents = 100_000;
/** Events that wait for a disk that stands still; later ones are lost. */
const mostWaiting = 20_000;
/** The most events of one write. */
const mostInGroup = 2_000;
/** How long an event waits for others. */
const flushEveryMs = 250;
const syncEveryMs = 500;
/** How long an event that was written may wait for its fsync before requests are refused. */
const mostUnsyncedMs = 1_000;
const touchEveryMs = 15_000;

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
  readonly clock: Clock;
  readonly watch: TrailWatch;
  readonly open?: OpenFile;
}

interface Waiting {
  /** The event as JSON, without the members that the writer adds. */
  readonly body: string;
  readonly at: string;
  readonly done: ((error?: unknown) => void) | undefined;
}

/**
 * Writes the segments of this process. The caller of {@link record} never waits: events are written in groups, and a group
 * is hashed after it was written. At most two operations of the disk are under way, a write and an fsync, so that a disk that
 * stands still does not take all of Node's threads.
 */
export class SegmentWriter extends Trail {
  readonly fault: TrailFault;
  readonly instance: string;
  /** Events that were written so far, and those that were lost. */
  writtenEvents = 0;
  lostEvents = 0;
  /** Segments that could not be closed. */
  readonly left: string[] = [];
  /** Called with each segment that was closed. */
  onClosed: (content: SegmentRoot) => void = () => undefined;

  private segment: OpenSegment | undefined;
  private waiting: Waiting[] = [];
  private waitingSinceMs = 0;
  private writing: Promise<void> | undefined;
  private syncing: Promise<void> | undefined;
  /** Lost events of which no line tells yet. */
  private untold = 0;
  private failing = false;
  /** Since when the oldest event that no finished fsync covers is written, or being written. */
  private unsyncedSinceMs: number | undefined;
  private syncingSinceMs: number | undefined;
  private lookedAtMs = 0;
  private touchedAtMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private syncedAtMs = 0;
  /** The members that are the same in each line. */
  private readonly constant: string;

  constructor(private readonly parts: SegmentWriterParts) {
    super();
    this.fault = parts.fault;
    const { instance, release } = parts;
    this.instance = instance;
    this.constant = `,"instance":${JSON.stringify(instance)},"release":${JSON.stringify(release)},`;
  }

  /** Writes from now on, whether or not events come. */
  start(): void {
    this.timer ??= setInterval(() => this.tick(), flushEveryMs).unref();
  }

  override nowMs(): number {
    return this.parts.clock.nowMs();
  }

  override get isAway(): boolean {
    if (this.fault !== 'refuse') return false;
    const sinceMs = this.syncingSinceMs ?? this.unsyncedSinceMs;
    return this.failing || (sinceMs !== undefined && monotonicMs() - sinceMs > mostUnsyncedMs);
  }

  /** For how long events have waited without one being taken, in milliseconds. */
  get lagMs(): number {
    return this.waiting.length === 0 ? 0 : monotonicMs() - this.waitingSinceMs;
  }

  override record(event: AnyEvent): void {
    this.take(event);
  }

  override written(event: AnyEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      this.take(event, (error) => (error === undefined ? resolve() : reject(error as Error)));
      // Those that come meanwhile are written with the next group.
      void this.flush();
    });
  }

  /** Writes all that waits. */
  flush(): Promise<void> {
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
    do await this.flush();
    while (this.waiting.length > 0);
    await this.syncing;
    await this.end('stop');
  }

  private take(event: AnyEvent, done?: Waiting['done']): void {
    if (this.waiting.length >= mostWaiting) {
      this.lose(1);
      return done?.(new Error('the disk of the trail stands still'));
    }
    const { at } = event;
    if (this.waiting.length === 0) this.waitingSinceMs = monotonicMs();
    this.waiting.push({ body: bodyOf(event), at, done });
  }

  private tick(): void {
    void this.flush();
    const nowMs = monotonicMs();
    if (nowMs - this.syncedAtMs >= syncEveryMs) void this.sync();
  }

  private async writeAll(): Promise<void> {
    do {
      const group = this.waiting.slice(0, mostInGroup);
      try {
        const segment = await this.present(group.length > 0);
        if (segment === undefined) return;
        const taken = group.slice(0, mostEvents - segment.events);
        this.waiting.splice(0, taken.length);
        this.waitingSinceMs = monotonicMs();
        await this.write(segment, taken);
      } catch (error) {
        this.fail(error);
        // Nothing can be opened: the events are lost now, and not an unknown time later.
        this.reject(this.waiting.splice(0, group.length), error);
      }
    } while (this.waiting.length > 0);
  }

  private async write(segment: OpenSegment, taken: readonly Waiting[]): Promise<void> {
    if (taken.length === 0) return;
    const lost = this.untold;
    const lines = taken.map(({ body, at }, index) =>
      this.line(segment.events + index + 1, body, at, index === 0 && lost > 0 ? `"lost":${lost},` : ''),
    );
    this.unsyncedSinceMs ??= monotonicMs();
    try {
      await segment.append(lines);
    } catch (error) {
      this.fail(error);
      this.reject(taken, error);
      if (segment.isSpoiled) await this.leave(segment);
      return;
    }
    this.untold -= lost;
    this.writtenEvents += taken.length;
    this.succeed();
    for (const { done } of taken) done?.();
  }

  /** The segment for the next event: a new one where the present one is over, or was taken away. */
  private async present(isNeeded: boolean): Promise<OpenSegment | undefined> {
    const nowMs = this.nowMs();
    const over = this.segment && closingOf(this.segment, nowMs);
    if (over !== undefined) await this.end(over);
    if (this.segment !== undefined && monotonicMs() - this.lookedAtMs >= flushEveryMs) await this.look(this.segment);
    if (this.segment === undefined && (isNeeded || this.failing)) this.segment = await this.begin(nowMs);
    return this.segment;
  }

  private async look(segment: OpenSegment): Promise<void> {
    if (!(await segment.isInPlace())) {
      this.segment = undefined;
      return segment.leave();
    }
    this.lookedAtMs = monotonicMs();
    if (this.lookedAtMs - this.touchedAtMs < touchEveryMs) return;
    await segment.touch(new Date(this.nowMs()));
    this.touchedAtMs = this.lookedAtMs;
  }

  private async begin(nowMs: number): Promise<OpenSegment> {
    const { directory, instance, open } = this.parts;
    const at = new Date(nowMs);
    const segment = await OpenSegment.create(directory, at, instance, open);
    const first: SegmentEvent = {
      kind: 'segment',
      id: segment.segment,
      at: at.toISOString(),
      process: this.parts.process,
    };
    const lost = this.untold;
    const more = lost > 0 ? `"lostBefore":${lost},` : '';
    try {
      await segment.append([this.line(1, bodyOf(first), first.at, more)]);
    } catch (error) {
      await segment.leave();
      throw error;
    }
    this.untold -= lost;
    this.lookedAtMs = this.touchedAtMs = monotonicMs();
    this.succeed();
    return segment;
  }

  private async end(closed: Closing): Promise<void> {
    const { segment } = this;
    if (segment === undefined) return;
    this.segment = undefined;
    try {
      const content = await segment.close(closed);
      this.unsyncedSinceMs = undefined;
      this.onClosed(content);
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

  private sync(): Promise<void> {
    this.syncing ??= this.force().finally(() => (this.syncing = undefined));
    return this.syncing;
  }

  private async force(): Promise<void> {
    const { segment } = this;
    if (segment === undefined || this.unsyncedSinceMs === undefined) return;
    this.syncingSinceMs = this.unsyncedSinceMs;
    this.unsyncedSinceMs = undefined;
    try {
      await segment.sync();
      this.syncedAtMs = monotonicMs();
    } catch (error) {
      // A segment that was closed meanwhile was forced to the disk then. After a failed fsync the next one tells nothing of
      // the lines before it: another segment begins.
      if (this.segment === segment) {
        this.fail(error);
        await this.leave(segment);
      }
    } finally {
      this.syncingSinceMs = undefined;
    }
  }

  private line(seq: number, body: string, at: string, more: string): Line {
    return { text: `{"v":${eventVersion},"seq":${seq}${this.constant}${more}${body.slice(1)}`, at };
  }

  private reject(lost: readonly Waiting[], error: unknown): void {
    this.lose(lost.length);
    for (const { done } of lost) done?.(error);
  }

  private lose(count: number): void {
    this.lostEvents += count;
    this.untold += count;
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

/** Why the segment is over, by its size and the time of its opening. */
function closingOf(segment: OpenSegment, nowMs: number): Closing | undefined {
  if (segment.events >= mostEvents) return 'full';
  if (segment.day !== new Date(nowMs).toISOString().slice(0, 10)) return 'midnight';
  return nowMs - segment.openedAtMs >= hourMs ? 'hour' : undefined;
}

/** JSON. An event that would not fit into a line keeps the members that name it. */
function bodyOf(event: AnyEvent): string {
  const body = JSON.stringify(event);
  // Room for the members that the writer adds; no character has more than three bytes for one unit of UTF-16.
  if (body.length * 3 < mostLineBytes - 1_024 || Buffer.byteLength(body) < mostLineBytes - 1_024) return body;
  const { kind, id, at } = event;
  return JSON.stringify({ kind, id, at, tooLong: true });
}
