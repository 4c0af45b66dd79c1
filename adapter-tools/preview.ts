import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import type { CoreSettings } from '../packages/core-adapter/core-settings.js';
import { rowsChannel, type TranslatedRow } from '../packages/core-adapter/rows-channel.js';
import { flat, recordsOf, type ShownBy, type ShownRecord } from './resources.js';
import { eachRead, type PreviewOptions, type ShownAccount, type ShownRead, type WithoutRecord } from './shown-reads.js';

/** A row of the core, the record of the port that it became, and its resource, each member on its line. */
export interface RowPreview {
  /** `undefined` where the adapter does not translate rows with the package's `translateRows`. */
  readonly row: readonly string[] | undefined;
  /** Why the row is not a record: the field and its fault. */
  readonly fault?: string;
  readonly record?: readonly string[];
  /** `undefined` where the product does not show the record, or the standard cannot express one of its values. */
  readonly resource?: readonly string[] | undefined;
}

export interface Preview {
  readonly read: ShownRead;
  readonly accountRef: string;
  readonly rows: readonly RowPreview[];
  /** How many more rows the answer has. */
  readonly more: number;
}

/**
 * Shows for each read the core's rows of the first account that has any, with the records and the resources that they become.
 * @param mostRows of one read
 */
export async function* preview(
  create: (settings: CoreSettings) => Promise<CoreAdapter>,
  settings: CoreSettings,
  by: ShownBy,
  options: PreviewOptions,
  mostRows: number,
): AsyncGenerator<Preview | WithoutRecord> {
  const adapter = await create(settings);
  try {
    yield* eachRead(adapter, options, async (shown) => {
      const rows = await rowsOf(adapter, shown);
      if (rows.length === 0) return undefined;
      const { read, accountRef } = shown;
      return {
        read,
        accountRef,
        rows: rows.slice(0, mostRows).map((one) => previewOf(one, by)),
        more: Math.max(0, rows.length - mostRows),
      };
    });
  } finally {
    await adapter.close();
  }
}

interface ShownRow {
  readonly translated: TranslatedRow | undefined;
  readonly shown: ShownRecord | undefined;
}

/** The rows of the read in the core's order, bad ones as well; the records, where the adapter's rows are not seen. */
async function rowsOf(adapter: CoreAdapter, what: ShownAccount): Promise<ShownRow[]> {
  const translated: TranslatedRow[] = [];
  const listen = (row: unknown): void => void translated.push(row as TranslatedRow);
  rowsChannel.subscribe(listen);
  const records = await recordsOf(adapter, what).finally(() => rowsChannel.unsubscribe(listen));
  // The answer also holds the row of the account, which is not a record of another read.
  const rows = translated.flatMap((one) => {
    const shown = records.find(({ record }) => record === one.item);
    return shown !== undefined || one.fault !== undefined ? [{ translated: one, shown }] : [];
  });
  return rows.length > 0 ? rows : records.map((shown) => ({ translated: undefined, shown }));
}

function previewOf({ translated, shown }: ShownRow, by: ShownBy): RowPreview {
  const row = translated && lines(flat(translated.row));
  if (shown === undefined) return { row, fault: translated?.fault ?? '' };
  const resource = shown.resource(by);
  return { row, record: lines(flat(shown.record)), resource: resource && lines(resource) };
}

function lines(members: ReadonlyMap<string, string>): string[] {
  return [...members].map(([name, value]) => `${name} = ${value}`);
}
