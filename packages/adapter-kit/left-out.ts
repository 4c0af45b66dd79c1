import type { AccountRead, CoreAdapter, FundsRead } from '../core-adapter/core.adapter.js';
import type { AdapterUnderTest } from './adapter-under-test.js';
import { type Clause, type ClauseId, clauses } from './clauses.js';
import { partOfKit } from './kit-fault.js';
import { kitServices } from './kit-services.js';
import { connections } from './world.js';

/** Why a clause has no subject here: the adapter declares so in `missing` or in `pending`. */
export function declaredLack({ reads, also }: Clause, adapter: CoreAdapter): string | undefined {
  const { missing, pending } = adapter;
  const about = reads as readonly (AccountRead | FundsRead)[];
  if (about.length > 0 && about.every((read) => adapter[read] === undefined))
    return [...new Set(about.map((read) => missing[read] ?? withoutReason(read)))].join('; ');
  if (pending === 'none' && (also === 'pending' || also === 'id-kept'))
    return 'the adapter declares that the core shows no pending transactions';
  if (pending === 'id-changes' && also === 'id-kept')
    return 'the adapter declares that a pending transaction gets another id when it is booked';
  return undefined;
}

function withoutReason(read: AccountRead | FundsRead): string {
  return read === 'fundsAvailable' ? 'the gateway asks the core for its balances' : `the adapter has no read ${read}`;
}

/** The clauses that are omitted, each with its reason: of the kit, or of the adapter's declarations. */
export function leftOut({ without = {} }: AdapterUnderTest, adapter: CoreAdapter): ReadonlyMap<ClauseId, string> {
  return new Map(
    clauses.flatMap((clause): [ClauseId, string][] => {
      const reason = without[clause.id] ?? declaredLack(clause, adapter);
      return reason === undefined ? [] : [[clause.id, reason]];
    }),
  );
}

/** The same before anything is checked. Starts the test core, because an adapter is created with its settings. */
export async function leftOutOf(kit: AdapterUnderTest): Promise<ReadonlyMap<ClauseId, string>> {
  const core = await partOfKit('`core` of the kit', () => kit.core({}));
  try {
    const { url, variables } = core;
    const settings = { url, connections, variables: { ...variables, CORE_URL: url } };
    const adapter = await partOfKit('`create` of the kit', () => kit.create(settings, kitServices));
    await adapter.close();
    return leftOut(kit, adapter);
  } finally {
    await core.close();
  }
}
