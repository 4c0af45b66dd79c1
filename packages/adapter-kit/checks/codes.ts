import assert from 'node:assert/strict';
import type { AccountRead } from '../../core-adapter/core.adapter.js';
import { proxyCodes } from '../../core-adapter/core.parties.js';
import { mandateStatuses } from '../../core-adapter/core.records.js';
import { bic, isoCode, lei } from '../../core-adapter/identifiers.js';
import { isRecord } from '../spoil.js';
import type { World } from '../world.js';
import { itemsOf } from './answers.js';

type IsCode = (value: string) => boolean;

const isOneOf =
  (words: readonly string[]): IsCode =>
  (value) =>
    words.includes(value);

/** By the member that holds the code, wherever it stands in a record. */
const codes: Readonly<Record<string, IsCode>> = {
  lei: (value) => lei(value) !== undefined,
  bic: (value) => bic(value) !== undefined,
  country: (value) => /^[A-Z]{2}$/.test(value),
  categoryPurpose: (value) => isoCode(value) !== undefined,
  paymentPurpose: (value) => isoCode(value) !== undefined,
  'isoTransactionCode.family': (value) => isoCode(value) !== undefined,
  'isoTransactionCode.subFamily': (value) => isoCode(value) !== undefined,
  'bankTransactionCode.code': (value) => value.length <= 35,
  'bankTransactionCode.issuer': (value) => value.length <= 35,
  'proxy.code': isOneOf(proxyCodes),
  reason: (value) => value.length <= 256,
  classification: isOneOf(['fixed', 'variable', 'usage-based']),
};
const isStatus = isOneOf(mandateStatuses);

/** The truth may have the same mistake, where both come from one reading of the core. */
export async function codesHaveTheirForms(world: World): Promise<void> {
  world.need('account', () => true);
  for (const [subject, snapshot] of await world.everything()) {
    const { account } = snapshot;
    if (account instanceof Error) assert.fail(`account ${subject.accountRef}: ${account.message}`);
    assertCodes(account, `account ${subject.accountRef}`);
    for (const read of world.reads)
      for (const item of itemsOf(snapshot, read)) {
        const where = `${read} of account ${subject.accountRef}`;
        assertCodes(item, where);
        if (hasMandate(read)) assertForm((item as { status?: unknown }).status, isStatus, `${where}: status`);
      }
  }
}

function hasMandate(read: AccountRead): boolean {
  return read === 'directDebits' || read === 'standingOrders';
}

function assertCodes(record: object, where: string, holder = ''): void {
  if ('isoTransactionCode' in record && isRecord(record.isoTransactionCode)) {
    const { family, subFamily } = record.isoTransactionCode;
    assert.ok(
      (family === undefined) === (subFamily === undefined),
      `${where}: isoTransactionCode has a family or a sub-family alone: give both, or omit it`,
    );
  }
  for (const [name, value] of Object.entries(record)) {
    const isCode = codes[`${holder}.${name}`] ?? codes[name];
    if (isRecord(value)) assertCodes(value, where, name);
    else if (isCode !== undefined && value !== undefined) assertForm(value, isCode, `${where}: ${name}`);
  }
}

function assertForm(value: unknown, isCode: IsCode, where: string): void {
  assert.ok(
    typeof value === 'string' && isCode(value),
    `${where} is not of its form: check it with \`lei\`, \`bic\` or \`isoCode\` of the port, and leave a wrong value out`,
  );
}
