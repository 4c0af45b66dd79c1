import assert from 'node:assert/strict';
import { accountReads, fundsReads } from '../../core-adapter/core.adapter.js';
import type { CoreTransaction } from '../../core-adapter/core.records.js';
import { CoreSettingFault, type CoreSettings } from '../../core-adapter/core-settings.js';
import { assertRefused } from '../bad-settings.js';
import { type ClauseId, clauses } from '../clauses.js';
import { kitServices } from '../kit-services.js';
import { numbersOf } from '../reads.js';
import { undemanded } from '../skipped-clauses.js';
import { settingsOf, type World } from '../world.js';
import { itemsOf } from './answers.js';

export async function badSettingsAreRefused({ kit, core, proxy }: World): Promise<void> {
  const { badSettings = {} } = kit;
  const good = settingsOf(core, proxy.origin);
  const untested = Object.keys(core.variables ?? {}).filter((name) => !Object.hasOwn(badSettings, name));
  assert.deepStrictEqual(untested, [], '`badSettings` has no bad value for these settings');
  assert.ok(
    Object.keys(badSettings).length > 0,
    '`badSettings` is empty: name each setting of the adapter in `badSettings` with values that must be ' +
      'refused, or say in `without` that the adapter has no settings',
  );
  const create = async (variables: CoreSettings['variables']) => kit.create({ ...good, variables }, kitServices);
  await assertRefused(badSettings, good.variables, CoreSettingFault, create);
}

export async function declarationsAgree(world: World): Promise<void> {
  const { adapter } = world;
  for (const read of accountReads) {
    const reason = adapter.missing[read];
    if (world.has(read)) assert.equal(reason, undefined, `${read} is served and declared missing`);
    else assert.ok(isReason(reason), `${read} is not served: \`missing\` has to say why`);
  }
  assertFunds(world);
  for (const [id, reason] of Object.entries(world.kit.without ?? {}) as [ClauseId, string | undefined][]) {
    const clause = clauses.find((one) => one.id === id);
    assert.ok(clause, `without: there is no clause ${id}`);
    assert.ok(isReason(reason), `without: ${id} has no reason`);
    assert.ok(
      clause.also === 'with-reason' || undemanded(clause, adapter, world.core) !== undefined,
      `without: ${id} may not be skipped, because the adapter or its core supports its subject: ${clause.sentence}`,
    );
  }
  assertSource(world);
  if (adapter.maxTransactionHistory !== undefined)
    assert.match(
      adapter.maxTransactionHistory,
      /^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?$/,
      'maxTransactionHistory is not an ISO 8601 duration',
    );
  if (adapter.pending === 'none') await assertNoPending(world);
}

/** The gateway asks a core without `fundsAvailable` for its balances, unless the adapter says that they cannot answer. */
function assertFunds(world: World): void {
  const { adapter, subjects } = world;
  for (const read of fundsReads)
    if (world.has(read)) assert.equal(adapter.missing[read], undefined, `${read} is served and declared missing`);
  const [noFind, noFunds] = fundsReads.map((read) => adapter.missing[read]);
  if (!world.has('findPaymentAccount'))
    assert.ok(isReason(noFind), 'findPaymentAccount is not served: `missing` has to say why');
  else if (noFunds !== undefined) assert.ok(isReason(noFunds), 'fundsAvailable: `missing` has to say why');
  else if (!world.has('fundsAvailable'))
    for (const { accountRef, truth } of subjects)
      assert.ok(
        numbersOf(truth.account).length === 0 || (truth.balances ?? []).some(({ kind }) => kind === 'available'),
        `account ${accountRef} can be found and has no available balance, for which the gateway would ask: give the adapter ` +
          '`fundsAvailable`, or say in `missing.fundsAvailable` why it cannot answer',
      );
}

function assertSource({ source, core, isOverHttp }: World): void {
  assert.equal(source === 'http', isOverHttp, `source: ${source} does not agree with the URL of the test core`);
  assert.equal(
    source === 'replica',
    core.replica !== undefined,
    'source: a test core has `replica` where the source is replica, and nowhere else',
  );
}

async function assertNoPending(world: World): Promise<void> {
  const pendingIn = (rows: readonly object[]): number =>
    rows.filter((row) => (row as CoreTransaction).status === 'pending').length;
  for (const [{ accountRef, truth }, snapshot] of await world.everything()) {
    const where = `account ${accountRef}: the adapter declares that there are no pending transactions`;
    assert.equal(pendingIn(truth.transactions ?? []), 0, `${where}, and the truth has some`);
    assert.equal(pendingIn(itemsOf(snapshot, 'transactions')), 0, `${where}, and answers some`);
  }
}

function isReason(reason: unknown): boolean {
  return typeof reason === 'string' && reason.trim().length >= 10;
}
