import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCoreAdapter, type ClauseId } from '../../../packages/adapter-kit/adapter-kit.js';
import { faultsOfExamples } from '../../support/examples.js';
import { judgedParts } from './feed.examples.js';
import { kitOfMapping } from './feed.kit.js';

const folder = mkdtempSync(join(tmpdir(), 'statements-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Edit = readonly [from: string, to: string];
type Edits = Readonly<
  Partial<Record<'statements.yaml' | 'statements.examples.yaml' | 'statements.xml', readonly Edit[]>>
>;

function edited(text: string, [from, to]: Edit): string {
  expect(text).toContain(from);
  return text.replaceAll(from, () => to);
}

/** @returns the path of the bank's file, with its examples and their statements next to it */
function written(edits: Edits = {}): string {
  for (const name of ['statements.yaml', 'statements.examples.yaml', 'statements.xml'] as const)
    writeFileSync(
      join(folder, name),
      (edits[name] ?? []).reduce(edited, readFileSync(join(import.meta.dirname, name), 'utf8')),
    );
  return join(folder, 'statements.yaml');
}

async function faultsWith(edits: Edits): Promise<string[]> {
  const path = written(edits);
  return [...(await faultsOfExamples(path, judgedParts(path))).values()].flat();
}

describe('the examples of a bank with statements in camt.053', () => {
  it('agree with the right file', async () => {
    expect(await faultsWith({})).toEqual([]);
  });

  it.each<[string, Edits, string]>([
    [
      'local times in a zone with the same hour in winter',
      { 'statements.yaml': [['Europe/London', 'Etc/UTC']] },
      'balances row 2: at is read as 2026-07-20T22:30:00Z, and means 2026-07-20T21:30:00Z',
    ],
    [
      'accounts by a number that the statements lack',
      { 'statements.yaml': [['accountBy: iban', 'accountBy: ref']] },
      'balances row 1 cannot be read: Acct.Id.Othr.Id: missing',
    ],
    [
      'that the bank delivers nothing pending',
      { 'statements.yaml': [['pending: id-kept', 'pending: none']] },
      'transactions row 6 cannot be read: status: pending, and the file of the bank says pending: none',
    ],
    [
      'that the direction of a reversal is its own, where it is that of the entry before it',
      { 'statements.examples.yaml': [['amount: GBP 6.50', 'amount: GBP -6.50']] },
      'transactions row 3: amount is read as GBP 6.50, and means GBP -6.50',
    ],
    [
      'that the available amount has the overdraft in it, where it has not',
      { 'statements.examples.yaml': [['GBP 136.61', 'GBP 636.61']] },
      'balances row 3: amount is read as GBP 136.61, and means GBP 636.61',
    ],
    [
      'that the day of the entry is the day of booking, where it is that of value',
      { 'statements.examples.yaml': [['at: 2026-07-20T08:30:00Z', 'at: 2026-07-21']] },
      'transactions row 1: at is read as 2026-07-20T08:30:00Z, and means 2026-07-21',
    ],
  ])('catch a file that takes it %s', async (_, edits, fault) => {
    expect(await faultsWith(edits)).toContain(fault);
  });

  it('need a booked balance, money in and out, a pending entry, and local times in winter and summer', async () => {
    const ofSecond = /^ {4}<Stmt>\n {6}<Id>QUAY-20260120-2[^]*?<\/Stmt>\n/m;
    const text = readFileSync(join(import.meta.dirname, 'statements.xml'), 'utf8');
    const [second = ''] = ofSecond.exec(text) ?? [];
    const means = readFileSync(join(import.meta.dirname, 'statements.examples.yaml'), 'utf8');
    const [ofBalances = ''] = /^ {4}- left-out\n {4}- { account: GB94.*\n/m.exec(means) ?? [];
    const [ofEntry = ''] = /^ {4}- account: GB94[^]*/m.exec(means) ?? [];
    const without: Edits = {
      'statements.xml': [
        [second, ''],
        ['PDNG', 'INFO'],
      ],
      'statements.examples.yaml': [
        [ofBalances, ''],
        [ofEntry, ''],
        [(/^ {4}- account: GB33.*\n {6}id: T6[^]*?(?=^ {4}-)/m.exec(means) ?? [''])[0], '    - left-out\n'],
      ],
    };
    expect(await faultsWith(without)).toEqual([
      'balances has no row whose at is in December, January or February',
      'transactions has no row that means a pending transaction',
      'transactions has no row whose at is in December, January or February',
    ]);
  });

  it('name a file that is not there', async () => {
    expect(await faultsWith({ 'statements.examples.yaml': [['file: statements.xml', 'file: june.xml']] })).toEqual([
      'balances: june.xml cannot be read',
      'transactions: june.xml cannot be read',
    ]);
  });
});

it('refuses accounts by their IBAN where no column has it', async () => {
  await expect(faultsWith({ 'statements.yaml': [['    iban: IBAN\n', '']] })).rejects.toThrow(
    'balances.accountBy must not be iban: accounts.columns has no iban',
  );
});

/** Those that judge the content of statements. The kit of a mapping to columns judges the rest of the adapter. */
const asked = [3, 5, 10, 11, 21, 22, 23, 24, 25, 26, 27, 29, 30, 31, 32, 34, 43, 58, 71].map(
  (number) => `CORE-${String(number).padStart(2, '0')}` as ClauseId,
);

it('the kit writes its people in statements, and the adapter that reads them keeps every clause', async () => {
  const outcomes: string[] = [];
  for await (const { clause, outcome, reason } of checkCoreAdapter(kitOfMapping(written()), asked))
    if (outcome !== 'kept') outcomes.push(`${clause.id} ${outcome}: ${reason}`);
  expect(outcomes).toEqual([]);
}, 300_000);
