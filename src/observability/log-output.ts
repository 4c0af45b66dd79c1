import { fstatSync, write as writeToFile, writeSync } from 'node:fs';

/** Writes a whole text, or reports the error. */
export type LogSink = (text: string, done: (error?: Error | null) => void) => void;

interface Batch {
  text: string;
  records: number;
}

/** Some fifty records: each write is a system call, and for a file also wakes another thread. */
const batchCharacters = 15 * 1_024;
/** The most batches of one write. */
const mostBatches = 16;
/** The longest time that a record waits for others. */
const batchMs = 100;
/** Kept while the reader hangs: some thirty thousand records. */
const keptCharacters = 8 * 1_024 * 1_024;

/**
 * Writes the log. A reader that hangs stops neither the requests nor the end of the process: up to a limit its
 * records are kept, and later ones are dropped and counted. docs/architecture.md says why this is not pino's destination.
 */
export class LogOutput {
  /** Records that were not written, so far. */
  dropped = 0;
  /** Dropped records that the log has not reported yet. */
  private unsaid = 0;
  private waiting: Batch[] = [];
  private waitingCharacters = 0;
  private underWay: Batch | undefined;
  private readonly timer = setInterval(() => this.flush(), batchMs).unref();
  private emptied: (() => void) | undefined;

  /** @param onFlowing is called with the number of dropped records, once records can be written again */
  constructor(
    private readonly sink: LogSink,
    private readonly onFlowing: (dropped: number) => void,
  ) {}

  write(record: string): void {
    if (this.waitingCharacters > keptCharacters) return this.drop(1);
    let batch = this.waiting.at(-1);
    if (batch === undefined || batch.text.length >= batchCharacters) {
      batch = { text: '', records: 0 };
      this.waiting.push(batch);
    }
    batch.text += record;
    batch.records++;
    this.waitingCharacters += record.length;
    if (batch.text.length >= batchCharacters) this.flush();
  }

  /** Resolves once everything is written, or after this long. */
  async close(withinMs: number): Promise<void> {
    clearInterval(this.timer);
    const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
    const empty = new Promise<void>((resolve) => (this.emptied = resolve));
    this.flush();
    await Promise.race([empty, late]);
  }

  /**
   * At the end of the process, however it ends: writes the records that can be written without waiting.
   * @returns the number of lost records that the log has not reported
   */
  end(write: (text: string) => void): number {
    const left = this.waiting;
    this.waiting = [];
    try {
      // After half of a batch that is under way nothing else may follow.
      while (left.length > 0 && this.underWay === undefined) {
        write(left[0]?.text ?? '');
        left.shift();
      }
    } catch {
      // Counted below and reported by the caller.
    }
    for (const { records } of [...left, ...(this.underWay ? [this.underWay] : [])]) this.drop(records);
    return this.unsaid;
  }

  private flush(): void {
    if (this.underWay !== undefined) return;
    const batch = this.waiting.shift();
    if (batch === undefined) return this.emptied?.();
    // After a slow reader, a few large writes are faster than many small ones.
    for (const next of this.waiting.splice(0, mostBatches - 1)) {
      batch.text += next.text;
      batch.records += next.records;
    }
    this.underWay = batch;
    this.waitingCharacters -= batch.text.length;
    this.sink(batch.text, (error) => this.written(batch, error));
  }

  private written(batch: Batch, error: Error | null | undefined): void {
    this.underWay = undefined;
    if (error) this.drop(batch.records);
    else if (this.unsaid > 0 && this.waitingCharacters < keptCharacters / 2) {
      const count = this.unsaid;
      this.unsaid = 0;
      this.onFlowing(count);
    }
    // One that is not full yet waits for more, unless this is the end.
    const next = this.waiting[0];
    if (this.emptied !== undefined || (next !== undefined && next.text.length >= batchCharacters)) this.flush();
  }

  private drop(records: number): void {
    this.dropped += records;
    this.unsaid += records;
  }
}

/** To a pipe without waiting; to a file in another thread. */
export function standardOutput(): LogSink {
  const kind = fstatSync(1);
  if (!kind.isFIFO() && !kind.isSocket()) return (text, done) => writeFully(Buffer.from(text), done);
  // Each write reports its error as well.
  process.stdout.on('error', () => undefined);
  return (text, done) => void process.stdout.write(text, done);
}

/** Throws if it would have to wait, or if the reader has gone. */
export function writeAtOnce(text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
}

function writeFully(bytes: Buffer, done: (error?: Error | null) => void): void {
  writeToFile(1, bytes, (error, count) => {
    if (error !== null || count === bytes.length) done(error);
    else writeFully(bytes.subarray(count), done);
  });
}
