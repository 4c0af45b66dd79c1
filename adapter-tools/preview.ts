import { accountReads, type CoreAdapter, type CoreRead } from '../packages/core-adapter/core.adapter.js';
import { CoreError } from '../packages/core-adapter/core-error.js';
import type { CoreAccount } from '../packages/core-adapter/core.records.js';
import type { CoreSettings } from '../packages/core-adapter/core-settings.js';
import { type CoreAnswer, throughProxy } from '../packages/adapter-kit/core-proxy.js';
import { HttpCoreProxy } from '../packages/adapter-kit/http-core-proxy.js';
import { spoilt } from '../packages/adapter-kit/spoil.js';
import { askAny, contextOf } from '../packages/adapter-kit/reads.js';
import type { Profile } from '../src/profiles/profile.js';
import { type Field, leavesOf, type Place, placesOf, variantsOf } from './places.js';
import { Replay } from './replay.js';
import { resourceOf } from './resources.js';

type ShownRead = (typeof accountReads)[number] | 'account';

export interface PreviewOptions {
  readonly customerRef: string;
  /** Default: each account of the customer. */
  readonly accountRef?: string;
}

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
 * Shows the core's first record and the resource that it becomes, for each read of each account. Changes one field at a
 * time in a copy of the core's answers, runs the adapter and the gateway's mappers, and notes which members of the
 * resource change.
 */
export async function* preview(
  create: (settings: CoreSettings) => Promise<CoreAdapter>,
  settings: CoreSettings,
  profile: Profile,
  { customerRef, accountRef }: PreviewOptions,
): AsyncGenerator<Preview> {
  const proxy = await HttpCoreProxy.start(settings.url);
  const adapter = await create(throughProxy(settings, proxy.origin));
  try {
    const refs =
      accountRef === undefined
        ? (await adapter.accounts(contextOf(customerRef))).items.map(({ ref }) => ref)
        : [accountRef];
    for (const ref of refs)
      for (const read of [
        'account',
        ...accountReads.filter((one) => adapter[one] !== undefined),
      ] satisfies ShownRead[]) {
        const answers = new Map<string, CoreAnswer>();
        proxy.set({ onAnswer: (path, answer) => void answers.set(path, answer) });
        await askAny(adapter, read, { customerRef, accountRef: ref });
        proxy.set({});
        const replay = await Replay.start(answers);
        const copy = await create(throughProxy(settings, replay.origin));
        try {
          const seen = new Seen(copy, replay, { read, customerRef, accountRef: ref }, profile);
          const shown = await seen.preview(answers);
          if (shown !== undefined) yield shown;
        } finally {
          await copy.close();
          await replay.close();
        }
      }
  } finally {
    await adapter.close();
    await proxy.close();
  }
}

type Resource = ReadonlyMap<string, string>;

/** One read of one account, as often as there are fields to change. */
class Seen {
  constructor(
    private readonly adapter: CoreAdapter,
    private readonly replay: Replay,
    private readonly what: { readonly read: ShownRead; readonly customerRef: string; readonly accountRef: string },
    private readonly profile: Profile,
  ) {}

  async preview(answers: ReadonlyMap<string, CoreAnswer>): Promise<Preview | undefined> {
    const { read, accountRef } = this.what;
    const before = await this.resources();
    for (const place of placesOf(answers, read === 'account' || read === 'party' || read === 'product')) {
      const base = await this.resourceOfRecord(place, before);
      if (base === undefined) continue;
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
    return undefined;
  }

  /** The one resource that is no longer there when the record is. */
  private async resourceOfRecord(place: Place, before: readonly Resource[]): Promise<Resource | undefined> {
    if (place.single) return before[0];
    const after = await this.resources(place, spoilt(place.record));
    return before.find((one) => !after.some((other) => isSame(one, other)));
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
      const after = await this.resources(place, record);
      const now = after.find((one) => !before.some((other) => isSame(one, other)));
      if (after.length < before.length) needed = true;
      else if (now !== undefined)
        for (const name of new Set([...base.keys(), ...now.keys()]))
          if (base.get(name) !== now.get(name)) changed.add(name);
    }
    return { changed, needed };
  }

  private async resources(place?: Place, record?: unknown): Promise<Resource[]> {
    this.replay.instead = place && { path: place.path, json: place.with(record) };
    const { read } = this.what;
    try {
      const found = await askAny(this.adapter, read, this.what);
      const account = read === 'account' ? (found as CoreAccount) : (found as CoreRead<object>).account;
      const records = read === 'account' ? [account] : (found as CoreRead<object>).items;
      return records.flatMap((one) => this.resource(one, account));
    } catch (error) {
      if (error instanceof CoreError) return [];
      throw error;
    }
  }

  private resource(record: object, account: CoreAccount): Resource[] {
    try {
      const resource = resourceOf(this.what.read, record, account, this.profile);
      return resource === undefined ? [] : [flat(resource)];
    } catch (error) {
      // A value that the standard cannot express.
      if (error instanceof RangeError) return [];
      throw error;
    }
  }
}

function flat(value: unknown, path = ''): Map<string, string> {
  if (value === undefined) return new Map();
  if (typeof value !== 'object' || value === null) return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [
      ...flat(inner, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
    ]),
  );
}

function isSame(one: Resource, other: Resource): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}
