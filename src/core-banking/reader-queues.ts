import { Circuit } from './circuit.js';

/** The bank itself, for reads without a TPP. No TPP's key equals it. */
export const theBank = Symbol('the bank');
/** A TPP, by a text that names its issuer and its client id there, or the bank. */
export type Reader = string | typeof theBank;

/** Called once, when the connection is the read's. */
type StartRead = () => void;

/** The connections that one reader holds, and its reads that wait. */
export class ReaderQueue {
  held = 0;
  /** In the order of arrival; as many as {@link ReaderQueues} lets one reader have wait. */
  readonly waiting: StartRead[] = [];
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
  private readonly inTurn: ReaderQueue[] = [];
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
  join(queue: ReaderQueue, start: StartRead): boolean {
    if (queue.waiting.length >= this.longest) return false;
    if (queue.waiting.push(start) === 1) this.inTurn.push(queue);
    return true;
  }

  /** Leaves the queue before its turn. */
  leave(queue: ReaderQueue, start: StartRead): void {
    remove(queue.waiting, start);
    if (queue.waiting.length === 0) remove(this.inTurn, queue);
  }

  /** Gives a connection back, and starts those whose turn has come. */
  release(queue: ReaderQueue): void {
    queue.held--;
    this.free++;
    for (;;) {
      const next = this.inTurn.find((one) => this.mayTake(one));
      if (next === undefined) return;
      this.serve(next);
    }
  }

  private mayTake({ held }: ReaderQueue): boolean {
    return held < this.mostOfOne && held < this.free;
  }

  private hold(queue: ReaderQueue): void {
    queue.held++;
    this.free--;
  }

  private serve(queue: ReaderQueue): void {
    const start = queue.waiting.shift();
    if (start === undefined) throw new Error('a queue without waiting reads had its turn');
    remove(this.inTurn, queue);
    if (queue.waiting.length > 0) this.inTurn.push(queue);
    this.hold(queue);
    start();
  }
}

function remove<T>(list: T[], item: T): void {
  list.splice(list.indexOf(item), 1);
}
