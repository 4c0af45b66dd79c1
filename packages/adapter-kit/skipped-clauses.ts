import type { AccountRead, CoreAdapter, FundsRead } from '../core-adapter/core.adapter.js';
import type { AdapterUnderTest, TestCore } from './adapter-under-test.js';
import { type Clause, type ClauseId, clauses } from './clauses.js';
import { isOverHttp } from './core-proxy.js';
import { partOfKit } from './kit-fault.js';
import { kitServices } from './kit-services.js';
import { connections } from './world.js';

/** The kit checks these by other answers in the place of those of a core over HTTP. */
// prettier-ignore
const ofOtherAnswers: readonly ClauseId[] = [
  'CORE-47', 'CORE-48', 'CORE-49', 'CORE-50', 'CORE-60', 'CORE-67', 'CORE-77', 'CORE-78', 'CORE-82',
];
const ofSpoiltRecords: readonly ClauseId[] = ['CORE-36', 'CORE-37', 'CORE-38'];

/** Why a clause is skipped without an entry in `without`: as the adapter declares, or because the kit cannot check it. */
export function undemanded(
  { id, reads, also }: Clause<ClauseId>,
  adapter: CoreAdapter,
  core: TestCore,
): string | undefined {
  const { missing, pending } = adapter;
  const about = reads as readonly (AccountRead | FundsRead)[];
  if (about.length > 0 && about.every((read) => adapter[read] === undefined))
    return [...new Set(about.map((read) => missing[read] ?? withoutReason(read)))].join('; ');
  if (pending === 'none' && (also === 'pending' || also === 'id-kept'))
    return 'the adapter declares that the core shows no pending transactions';
  if (pending === 'id-changes' && also === 'id-kept')
    return 'the adapter declares that a pending transaction gets another id when it is booked';
  if (isOverHttp(core.url)) return undefined;
  if (ofOtherAnswers.includes(id)) return 'the core does not speak HTTP: the adapter’s own tests check this';
  if (ofSpoiltRecords.includes(id) && core.spoil === undefined)
    return 'the test core cannot spoil its records: the adapter’s own tests check this';
  return undefined;
}

function withoutReason(read: AccountRead | FundsRead): string {
  return read === 'fundsAvailable' ? 'the gateway asks the core for its balances' : `the adapter has no read ${read}`;
}

/** The clauses that are skipped, each with its reason. */
export function skippedClauses(
  { without = {} }: AdapterUnderTest,
  adapter: CoreAdapter,
  core: TestCore,
): ReadonlyMap<ClauseId, string> {
  return new Map(
    clauses.flatMap((clause): [ClauseId, string][] => {
      const reason = without[clause.id] ?? undemanded(clause, adapter, core);
      return reason === undefined ? [] : [[clause.id, reason]];
    }),
  );
}

/** The same before anything is checked. Starts the test core, because an adapter is created with its settings. */
export async function skippedClausesOf(kit: AdapterUnderTest): Promise<ReadonlyMap<ClauseId, string>> {
  const core = await partOfKit('`core` of the kit', () => kit.core({}));
  try {
    const { url, variables } = core;
    const settings = { url, connections, variables: { ...variables, CORE_URL: url } };
    const adapter = await partOfKit('`create` of the kit', () => kit.create(settings, kitServices));
    await adapter.close();
    return skippedClauses(kit, adapter, core);
  } finally {
    await core.close();
  }
}
