import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { CoreError } from '../packages/core-adapter/core-error.js';
import type { CoreSettings } from '../packages/core-adapter/core-settings.js';
import { type CoreAnswer, throughProxy } from '../packages/adapter-kit/core-proxy.js';
import { HttpCoreProxy } from '../packages/adapter-kit/http-core-proxy.js';
import { spoilt } from '../packages/adapter-kit/spoil.js';
import { askAny } from '../packages/adapter-kit/reads.js';
import type { Profile } from '../src/profiles/profile.js';
import { type Field, leavesOf, type Place, placesOf, variantsOf } from './places.js';
import { Replay } from './replay.js';
import { type Resource, resourcesOf } from './resources.js';
import { eachRead, type PreviewOptions, type ShownAccount, type ShownRead, type WithoutRecord } from './shown-reads.js';

/** One field of the core's record, and the fields of the resource that change when it does. */
export interface FieldLine {
  readonly core: string;
  readonly becomes: readonly string[];
  /** Without it, or with another of its kind, there is no resource. */
  readonly needed: boolean;
}

export interface Preview {
  readonly read: ShownRead;
  readonly accountRef: string;
  readonly lines: readonly FieldLine[];
  /** Members that depend on no field of the record. */
  readonly gateway: readonly string[];
}

/**
 * Shows a record of the core and the resource that it becomes, for each read. Changes one field at a time in a copy of the
 * core's answers, runs the adapter and the gateway's mappers, and notes which members of the resource change.
 */
export async function* preview(
  create: (settings: CoreSettings) => Promise<CoreAdapter>,
  settings: CoreSettings,
  profile: Profile,
  options: PreviewOptions,
): AsyncGenerator<Preview | WithoutRecord> {
  const proxy = await HttpCoreProxy.start(settings.url);
  const adapter = await create(throughProxy(settings, proxy.origin));
  try {
    yield* eachRead(adapter, options, async (shown) => {
      const answers = new Map<string, CoreAnswer>();
      proxy.set({ onAnswer: (path, answer) => void answers.set(path, answer) });
      await askAny(adapter, shown.read, shown);
      proxy.set({});
      const replay = await Replay.start(answers);
      const copy = await create(throughProxy(settings, replay.origin));
      try {
        return await new Seen(copy, replay, shown, profile).preview(answers);
      } finally {
        await copy.close();
        await replay.close();
      }
    });
  } finally {
    await adapter.close();
    await proxy.close();
  }
}

/** One read of one account, as often as there are fields to change. */
class Seen {
  constructor(
    private readonly adapter: CoreAdapter,
    private readonly replay: Replay,
    private readonly what: ShownAccount,
    private readonly profile: Profile,
  ) {}

  async preview(answers: ReadonlyMap<string, CoreAnswer>): Promise<Preview | undefined> {
    const { read } = this.what;
    const before = (await this.resources()) ?? [];
    const places = placesOf(answers, read === 'account' || read === 'party' || read === 'product');
    // A read that fails with a record need not be about it: the account's own record may stand in the same answer.
    for (const failing of [false, true])
      for (const place of places) {
        const base = await this.resourceOfRecord(place, before, failing);
        if (base !== undefined) return this.traced(place, before, base);
      }
    return undefined;
  }

  private async traced(place: Place, before: readonly Resource[], base: Resource): Promise<Preview> {
    const { read, accountRef } = this.what;
    const lines: FieldLine[] = [];
    const touched = new Set<string>();
    for (const field of leavesOf(place.record)) {
      const { changed, needed } = await this.changedBy(place, field, before, base);
      for (const name of changed) touched.add(name);
      lines.push({
        core: `${field.path.join('.')} = ${JSON.stringify(field.value)}`,
        becomes: [...changed].map((name) => `${name} = ${base.get(name) ?? '(nothing)'}`),
        needed,
      });
    }
    const gateway = [...base].filter(([name]) => !touched.has(name)).map(([name, value]) => `${name} = ${value}`);
    return { read, accountRef, lines, gateway };
  }

  /** The one resource that is no longer there when the record is unreadable. @param failing the whole read then fails */
  private async resourceOfRecord(
    place: Place,
    before: readonly Resource[],
    failing: boolean,
  ): Promise<Resource | undefined> {
    if (place.single) return before[0];
    const after = await this.resources(place, spoilt(place.record));
    if ((after === undefined) !== failing) return undefined;
    return before.find((one) => !after?.some((other) => isSame(one, other)));
  }

  /** The members of the resource that change with the field: taken away, another record's, or another of its kind. */
  private async changedBy(
    place: Place,
    field: Field,
    before: readonly Resource[],
    base: Resource,
  ): Promise<{ changed: Set<string>; needed: boolean }> {
    const changed = new Set<string>();
    let needed = false;
    for (const record of variantsOf(place, field)) {
      const after = (await this.resources(place, record)) ?? [];
      const now = after.find((one) => !before.some((other) => isSame(one, other)));
      if (after.length < before.length) needed = true;
      else if (now !== undefined)
        for (const name of new Set([...base.keys(), ...now.keys()]))
          if (base.get(name) !== now.get(name)) changed.add(name);
    }
    return { changed, needed };
  }

  /** @returns nothing where the read fails */
  private async resources(place?: Place, record?: unknown): Promise<Resource[] | undefined> {
    this.replay.instead = place && { path: place.path, json: place.with(record) };
    try {
      return await resourcesOf(this.adapter, this.what, this.profile);
    } catch (error) {
      if (error instanceof CoreError) return undefined;
      throw error;
    }
  }
}

function isSame(one: Resource, other: Resource): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}
