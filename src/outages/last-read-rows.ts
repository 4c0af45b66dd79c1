import { faultRecord } from '../observability/fault-record.js';
import { atMostEvery } from '../clock/at-most-every.js';

const keptMs = 1_000;

interface Log {
  warn(record: object, message: string): void;
}

/** Rows that each caller sees as of a second ago at most, and while the database is unreachable as they were read last. */
export class LastReadRows<Row> {
  private lastRows: readonly Row[] = [];
  private readonly readAtMostOften = atMostEvery(keptMs, () => this.read());

  /** @param rows in the log, such as `the planned outages` */
  constructor(
    private readonly readRows: () => Promise<readonly Row[]>,
    private readonly log: Log,
    private readonly rows: string,
  ) {}

  async get(): Promise<readonly Row[]> {
    await this.readAtMostOften();
    return this.lastRows;
  }

  /** Reads them now. A fault goes to the log alone. */
  async read(): Promise<void> {
    try {
      this.lastRows = await this.readRows();
    } catch (error) {
      this.log.warn(
        faultRecord(error),
        `${this.rows} cannot be read from the database: the gateway shows those that it read last`,
      );
    }
  }
}
