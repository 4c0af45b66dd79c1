import type { CoreSettings } from '../../packages/core-adapter/core-settings.js';
import type { ClauseId } from '../../packages/adapter-kit/adapter-kit.js';
import { type Row, type Shape, type TinyAdapter } from './tiny.adapter.js';

export type Tiny = new (settings: CoreSettings) => TinyAdapter;
/** The adapter, wrong in one way. */
export type Flaw = (Base: Tiny) => Tiny;

/** One mistake of an adapter for each clause, which breaks only that clause. */
export type Flaws = Readonly<Partial<Record<ClauseId, readonly [what: string, flaw: Flaw]>>>;

type MethodOf<Of> = { [Name in keyof Of]: Of[Name] extends (...given: never[]) => unknown ? Name : never }[keyof Of];

/** Another method in the place of one, which may call the right one. */
export function instead<Name extends MethodOf<TinyAdapter>>(
  name: Name,
  change: (right: TinyAdapter[Name]) => TinyAdapter[Name],
): Flaw {
  return (Base) =>
    class extends Base {
      constructor(settings: CoreSettings) {
        super(settings);
        const right = (this[name] as (...given: unknown[]) => unknown).bind(this) as TinyAdapter[Name];
        Object.assign(this, { [name]: change(right) });
      }
    };
}

/** The records of one kind, each changed before it is handed on. */
export const records = (wanted: Shape, change: (record: Row) => Row): Flaw =>
  instead('record', (right) => (shape, row) => {
    const record = right(shape, row);
    return shape === wanted ? change(record) : record;
  });
export const without = (field: string, record: Row): Row => {
  const { [field]: _, ...rest } = record;
  return rest;
};
/** A time moved where the record has one of that day. */
export const moved = (record: Row, field: string, days: readonly string[], byMs: number): Row => {
  const at = record[field];
  return at instanceof Date && days.includes(at.toISOString().slice(0, 10))
    ? { ...record, [field]: new Date(at.getTime() + byMs) }
    : record;
};
