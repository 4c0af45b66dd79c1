import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import type { CoreSettings } from '../packages/core-adapter/core-settings.js';
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

function lines(members: ReadonlyMap<string, string>): string[] {
  return [...members].map(([name, value]) => `${name} = ${value}`);
}
