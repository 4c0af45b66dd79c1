import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import type { CoreSettings } from '../packages/core-adapter/core-settings.js';
import type { SeenRow } from '../src/core-banking/record-mapping/seen-row.js';
import type { Profile } from '../src/profiles/profile.js';
import { flat, recordsOf } from './resources.js';
import { eachRead, type PreviewOptions, type ShownRead, type WithoutRecord } from './shown-reads.js';

/** A record of the port and the resource that it becomes, each member on its line. */
export interface RecordPreview {
  readonly read: ShownRead;
  readonly accountRef: string;
  readonly record: readonly string[];
  readonly resource: readonly string[];
}

/**
 * For a core that does not speak HTTP, whose answers the tools cannot change: shows for each read the adapter's first
 * record that becomes a resource, and the resource.
 */
export async function* previewRecords(
  create: (settings: CoreSettings) => Promise<CoreAdapter>,
  settings: CoreSettings,
  profile: Profile,
  options: PreviewOptions,
): AsyncGenerator<RecordPreview | WithoutRecord> {
  const adapter = await create(settings);
  try {
    yield* eachRead(adapter, options, async (shown) => {
      for (const { record, resource } of await recordsOf(adapter, shown)) {
        const members = resource(profile);
        if (members === undefined) continue;
        const { read, accountRef } = shown;
        return { read, accountRef, record: lines(flat(record)), resource: lines(members) };
      }
      return undefined;
    });
  } finally {
    await adapter.close();
  }
}

/** A row of the core, its columns, and the members of the record that it becomes, or why it becomes none. */
export interface RowPreview {
  readonly columns: readonly string[];
  readonly becomes: readonly string[];
}

/** The rows of the asked reads, before the record that the read shows, and how many rows are not shown. */
export interface RowsPreview {
  readonly rowsOf: ShownRead;
  readonly rows: readonly RowPreview[];
  readonly more: number;
}

/** The same for the adapter `sql`, which shows each row that it reads from the database. @param most rows of each read */
export async function* previewRows(
  create: (settings: CoreSettings, see: (row: SeenRow) => void) => Promise<CoreAdapter>,
  settings: CoreSettings,
  profile: Profile,
  options: PreviewOptions,
  most: number,
): AsyncGenerator<RowsPreview | RecordPreview | WithoutRecord> {
  const seen: SeenRow[] = [];
  const rows = (read: ShownRead): RowsPreview => {
    const [list, one] = [seen.filter(({ name }) => name === 'accounts'), seen.filter(({ name }) => name === 'account')];
    const all = read !== 'account' ? seen.filter(({ name }) => name === read) : list.length > 0 ? list : one;
    return { rowsOf: read, rows: all.slice(0, most).map(rowPreview), more: Math.max(0, all.length - most) };
  };
  const previews = previewRecords((given) => create(given, (row) => void seen.push(row)), settings, profile, options);
  try {
    for await (const shown of previews) {
      yield rows('without' in shown ? shown.without : shown.read);
      yield shown;
    }
  } catch (error) {
    // A row of an account that cannot be read ends the whole read.
    yield rows(options.read ?? 'account');
    throw error;
  }
}

function rowPreview({ row, record, fault }: SeenRow): RowPreview {
  return {
    columns: lines(flat(row)),
    becomes:
      fault !== undefined ? [`bad record: ${fault}`] : record === undefined ? ['(left out)'] : lines(flat(record)),
  };
}

function lines(members: ReadonlyMap<string, string>): string[] {
  return [...members].map(([name, value]) => `${name} = ${value}`);
}
