import { Circuit } from './circuit.js';

/** The bank itself, for reads without a TPP. No TPP's key equals it. */
export const theBank = Symbol('the bank');
/** A TPP, by a text that names its issuer and its client id there, or the bank. */
export type Reader = string | typeof theBank;

interface LinkedElement<T> {
  before: T | undefined;
  after: T | undefined;
}

/** In the order of arrival; removes any element in one step. */
class Chain<T extends LinkedElement<T>> {
  first: T | undefined;
  length = 0;
  private last: T | undefined;

  append(item: T): void {
    item.before = this.last;
    if (this.last === undefined) this.first = item;
    else this.last.after = item;
    this.last = item;
    this.length++;
  }

  remove(item: T): void {
    if (item.before === undefined) this.first = item.after;
    else item.before.after = item.after;
    if (item.after === undefined) this.last = item.before;
    else item.after.before = item.before;
    // An old element that still refers to a younger one would keep the garbage collector from freeing it early.
    item.before = undefined;
    item.after = undefined;
    this.length--;
  }
}

/** A read that waits for a connection. */
export class WaitingRead implements LinkedElement<WaitingRead> {
  before: WaitingRead | undefined;
  after: WaitingRead | undefined;

  /** @param start called once, when the connection is the read's */
  constructor(readonly start: () => void) {}
}

/** The connections that one reader holds, and its reads that wait. */
export class ReaderQueue implements LinkedElement<ReaderQueue> {
  before: ReaderQueue | undefined;
  after: ReaderQueue | undefined;
  held = 0;
  readonly waiting = new Chain<WaitingRead>();
  readonly circuit = new Circuit();

  /** @param number distinguishes it from every other queue */
  constructor(readonly number: number) {}
}

/**
 * Gives the connections to the core to readers. Each reader has a queue, and the queues are served in turn. A reader
 * gets another connection only while it holds fewer than are free, and never more than half of all, even alone. Slow
 * reads keep their connections for seconds, and a reader that comes meanwhile must find free ones.
 */
export class ReaderQueues {
  private readonly queues = new Map<Reader, ReaderQueue>();
  /** The queues with waiting reads, in the order of their turns. */
  private readonly inTurn = new Chain<ReaderQueue>();
  private readonly mostOfOne: number;

  private free: number;

  /** @param most reads at a time @param longest how many reads of one reader may wait */
  constructor(
    private readonly most: number,
    private readonly longest: number,
  ) {
    this.free = most;
    this.mostOfOne = Math.max(1, Math.floor(most / 2));
  }

  /** How many reads hold a connection, and the most that may. */
  get use(): { readonly underWay: number; readonly most: number } {
    return { underWay: this.most - this.free, most: this.most };
  }

  /** The reader's queue. It is never removed: TPPs are registered, and few. */
  queueOf(reader: Reader): ReaderQueue {
    let queue = this.queues.get(reader);
    if (queue === undefined) this.queues.set(reader, (queue = new ReaderQueue(this.queues.size)));
    return queue;
  }

  /** Takes a connection, if the reader may have one at once. */
  take(queue: ReaderQueue): boolean {
    // A waiting read could not have a connection, so the new read must not overtake it.
    if (queue.waiting.length > 0 || !this.mayTake(queue)) return false;
    this.hold(queue);
    return true;
  }

  /** Joins the reader's queue; false when that is full. */
  join(queue: ReaderQueue, read: WaitingRead): boolean {
    if (queue.waiting.length >= this.longest) return false;
    if (queue.waiting.length === 0) this.inTurn.append(queue);
    queue.waiting.append(read);
    return true;
  }

  /** Leaves the queue before its turn. */
  leave(queue: ReaderQueue, read: WaitingRead): void {
    queue.waiting.remove(read);
    if (queue.waiting.length === 0) this.inTurn.remove(queue);
  }

  /** Gives a connection back, and starts those whose turn has come. */
  release(queue: ReaderQueue): void {
    queue.held--;
    this.free++;
    for (let next = this.nextInTurn(); next !== undefined; next = this.nextInTurn()) this.serve(next);
  }

  private mayTake({ held }: ReaderQueue): boolean {
    return held < this.mostOfOne && held < this.free;
  }

  private hold(queue: ReaderQueue): void {
    queue.held++;
    this.free--;
  }

  /** Each queue that it passes over holds a connection, so it passes over at most as many as there are connections. */
  private nextInTurn(): ReaderQueue | undefined {
    let queue = this.inTurn.first;
    while (queue !== undefined && !this.mayTake(queue)) queue = queue.after;
    return queue;
  }

  private serve(queue: ReaderQueue): void {
    const read = queue.waiting.first;
    if (read === undefined) throw new Error('a queue without waiting reads had its turn');
    this.inTurn.remove(queue);
    queue.waiting.remove(read);
    if (queue.waiting.length > 0) this.inTurn.append(queue);
    this.hold(queue);
    read.start();
  }
}
