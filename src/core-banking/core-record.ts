import type { AccountRead, CoreAdapter, CoreRead } from '../../packages/core-adapter/core.adapter.js';
import type { CoreAccount } from '../../packages/core-adapter/core.records.js';

/** The record that a read gives; the list of accounts is one that every core has. */
export type CoreRecord<Read extends AccountRead | 'accounts'> = Read extends AccountRead
  ? Awaited<ReturnType<NonNullable<CoreAdapter[Read]>>> extends CoreRead<infer Item>
    ? Item
    : never
  : CoreAccount;
