import type { CoreSettings } from '../../packages/core-adapter/core-settings.js';
import type { ClauseId } from '../../packages/adapter-kit/adapter-kit.js';
import { type Row, type Shape, type TinyAdapter } from './tiny.adapter.js';

export type Tiny = new (settings: CoreSettings) => TinyAdapter;
/** The adapter, wrong in one way. */
export type Flaw = (Base: Tiny) => Tiny;

/** One mistake of an adapter for each clause, which breaks only that clause. */
export type Flaws = Readonly<Partial<Record<ClauseId, readonly [what: string, flaw: Flaw]>>>;

/** The records of one kind, each changed before it is handed on. */
export const records = (wanted: Shape, change: (record: Row) => Row): Flaw => {
  return (Base) =>
    class extends Base {
      protected override record(shape: Shape, row: Row): Row {
        const record = super.record(shape, row);
        return shape === wanted ? change(record) : record;
      }
    };
};
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
