import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import { unlessAborted } from '../../../../packages/core-adapter/unless-aborted.js';
import type { BankFile } from './bank-file.js';
import { type CheckedQueries, checkFile } from './query-check.js';
import { type Dialect, late, type ParameterKind, type SqlDatabase } from './dialect.js';

/** How long the database may take to answer at all, and to check the whole file: some hundred small statements. */
const [answerPatienceMs, patienceMs] = [3_000, 60_000];

/** Has the database check the file once: at the start or, where the database does not answer then, before the first read. */
export class FileCheck {
  private checked: CheckedQueries | undefined;
  private checking: Promise<CheckedQueries> | undefined;

  constructor(
    private readonly file: BankFile,
    private readonly dialect: Dialect,
    private readonly database: SqlDatabase,
  ) {}

  /** @throws FileFault where the database refuses the file, CoreError where it does not answer */
  async done(signal?: AbortSignal): Promise<CheckedQueries> {
    if (this.checked !== undefined) return this.checked;
    // Reads that begin together wait for the same check.
    this.checking ??= this.check().finally(() => (this.checking = undefined));
    return signal === undefined ? this.checking : unlessAborted(signal, this.checking, late);
  }

  private async check(): Promise<CheckedQueries> {
    const patience = new AbortController();
    let timer = setTimeout(() => patience.abort(), answerPatienceMs);
    try {
      await this.database.rows({ sql: this.dialect.ping }, {}, patience.signal);
      clearTimeout(timer);
      timer = setTimeout(() => patience.abort(), patienceMs);
      return (this.checked = await checkFile(this.file, this.dialect, this.database, patience.signal));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether a reference can be in the database: it would fail on a text that is compared with numbers. */
export function canBe(reference: string, kinds: readonly ParameterKind[]): boolean {
  return kinds.every((kind) => {
    if (kind === 'uuid') return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(reference);
    if (typeof kind === 'object') return /^(0|[1-9]\d{0,99})$/.test(reference) && BigInt(reference) <= kind.greatest;
    return !reference.includes('\0');
  });
}

/** A fault of the file that shows after the start. */
export function lateFault(fileName: string, { message }: Error): CoreError {
  return new CoreError('bad-record', `CORE_SQL_FILE ${fileName}: ${message}`);
}
