import { describe, expect, it } from '@jest/globals';
import { parametersIn, positioned } from './named-parameters.js';
import { readBankFile } from './bank-file.js';

const good = `
name: bank
timeZone: Europe/London
pending: none
codes:
  product: { 01: CurrentAccount }
accounts:
  query: SELECT * FROM accounts WHERE customer = :customer;
  columns:
    customer: customer
    ref: ref
    product: { column: product, codes: product }
    currency: { value: GBP }
    permitted: { value: true }
    holder: { value: personal }
balances:
  query: SELECT * FROM balances WHERE account = :account
  columns:
    kind: { column: kind, codes: { B: booked } }
    amount: { column: amount, as: decimal, sign: { column: dc, credit: [C, R], debit: D } }
    at: { column: at, as: local-time }
missing:
  transactions: not in this test
  party: not in this test
  offers: not in this test
  scheduledPayments: not in this test
  beneficiaries: not in this test
  statements: not in this test
  directDebits: not in this test
  standingOrders: not in this test
  product: not in this test
`;

describe('the file of a bank', () => {
  it('has the queries, and the columns of each record', () => {
    const { accounts, reads, missing } = readBankFile(good);
    expect(accounts.query).toBe('SELECT * FROM accounts WHERE customer = :customer');
    expect(accounts.columns.product).toEqual({
      column: 'product',
      path: 'accounts.columns.product',
      codes: { '01': 'CurrentAccount' },
    });
    expect(reads.balances?.columns.amount).toEqual({
      column: 'amount',
      path: 'balances.columns.amount',
      as: 'decimal',
      sign: { column: 'dc', path: 'balances.columns.amount.sign', credit: ['C', 'R'], debit: ['D'] },
    });
    expect(missing.offers).toBe('not in this test');
  });

  const search = `
findPaymentAccount:
  query: SELECT * FROM holders WHERE iban = :iban;
  columns: { customer: customer, account: ref, name: name }
`;

  it('may find an account by its number, or say why not', () => {
    expect(readBankFile(good + search).findPaymentAccount).toEqual({
      query: 'SELECT * FROM holders WHERE iban = :iban',
      columns: { customer: 'customer', account: 'ref', name: 'name' },
    });
    expect(readBankFile(good).missing.findPaymentAccount).toBe('the file of queries has no findPaymentAccount');
    const late = `${good}  fundsAvailable: the balances are of last night\n`;
    expect(readBankFile(late).missing.fundsAvailable).toBe('the balances are of last night');
  });

  it.each([
    ['= :iban', "= '1'", 'must select by :sort_code and :account_number, by :iban, or by either'],
    ['= :iban', '= :customer', 'has the unknown parameter :customer'],
  ])('is refused by the parameters of its search: %j as %j', (from, to, fault) => {
    expect(() => readBankFile(good + search.replace(from, to))).toThrow(`findPaymentAccount.query ${fault}`);
  });

  it.each([
    ['name: bank', 'name: Bank!', 'name must match ^[a-z][a-z0-9-]{0,39}$'],
    ['name: bank', 'names: bank', /^name is missing; names is not known: the members here are name, pending, [^;]*$/],
    ['name: bank', 'name: bank\nnick: x', /^nick is not known: the members here are name, /],
    ['name: bank', 'name: [bank', /^is not valid YAML from line \d+ on \(\w+\)$/],
    ['name: bank', 'name: bank\nname: bank', /^is not valid YAML from line 3 on \(DUPLICATE_KEY\)$/],
    ['timeZone: Europe/London', 'timeZone: London', 'timeZone must be an IANA name, such as Europe/London'],
    ['timeZone: Europe/London\n', '', 'balances.columns.at is a local time: set timeZone'],
    ['pending: none', 'pending: maybe', 'pending must be one of none, id-kept, id-changes'],
    ['  party: not in this test\n', '', 'has neither party nor missing.party, which says why'],
    ['missing:', 'missing:\n  balances: none', 'missing.balances is served by balances'],
    ['= :customer;', '= :costumer', 'accounts.query has the unknown parameter :costumer'],
    ['= :customer;', "= ':customer'", 'accounts.query must select by :customer'],
    [
      '= :customer;',
      '= :customer AND ref = :account',
      'accounts.query must not use :account: it lists all accounts of :customer',
    ],
    ['account = :account', 'account = 1', 'balances.query must select by :account'],
    ['    ref: ref\n', '', 'accounts.columns.ref is missing'],
    ['    ref: ref\n', '    ref: { value: x }\n', 'accounts.columns.ref must be a column'],
    ['    ref: ref\n', '    ref: a.ref\n', 'accounts.columns.ref must match ^[A-Za-z_]\\w{0,62}$'],
    ['    customer: customer\n', '', 'accounts.columns.customer is missing'],
    ['codes: product }', 'codes: produce }', 'accounts.columns.product.codes is not a table of codes'],
    ['01: CurrentAccount', '01: ""', /^codes\.product\.01 /],
    ['value: GBP', 'value: GBX', 'accounts.columns.currency.value must be an ISO 4217 currency'],
    ['value: true', 'value: yes', 'accounts.columns.permitted.value must be one of true, false'],
    ['as: decimal', 'as: float', 'balances.columns.amount.as must be one of decimal, minor-units'],
    ['debit: D', 'debit: [D, C]', 'balances.columns.amount.sign has a code that is both credit and debit'],
    [
      'as: local-time',
      'as: local-time, zone: UTC',
      'balances.columns.at.zone is not known: the members here are column, as',
    ],
    [
      'at: { column: at, as: local-time }',
      'at: at',
      'balances.columns.at must say how it is written: { column: …, as: instant or local-time or day or YYYYMMDD }',
    ],
    [
      'currency: { value: GBP }',
      'currency: { column: ccy, codes: { 826: GBX } }',
      /^accounts\.columns\.currency\.codes\.826 must be an ISO/,
    ],
    [
      '    ref: ref\n',
      '    ref: { column: ref, codes: { 1: x } }\n',
      'accounts.columns.ref.codes is not known: the only member here is column',
    ],
  ])('is refused by the path of its fault: %j as %j', (from, to, fault) => {
    const text = good.replace(from, to);
    expect(text).not.toBe(good);
    const matching =
      typeof fault === 'string' ? new RegExp(`^${fault.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : fault;
    expect(() => readBankFile(text)).toThrow(expect.objectContaining({ message: expect.stringMatching(matching) }));
  });
});

it('a file is refused for all its faults at once', () => {
  const text = good
    .replace('ref: ref', 'ref: { value: x }')
    .replace('as: decimal', 'as: float')
    .replace('currency: { value: GBP }', 'currency: { value: GBX }');
  const message =
    'accounts.columns.currency.value must be an ISO 4217 currency; ' +
    'balances.columns.amount.as must be one of decimal, minor-units';
  expect(() => readBankFile(text)).toThrow(expect.objectContaining({ message }));
});

it('a core without pending transactions has no codes of them', () => {
  const text = good.replace(
    'missing:\n  transactions: not in this test',
    `transactions:
  query: SELECT * FROM entries WHERE account = :account
  columns:
    id: id
    status: { column: status, codes: { H: pending, B: booked } }
    at: { column: at, as: day }
    amount: { column: amount, as: decimal }
missing:`,
  );
  const fault = 'pending must not be none: transactions.columns.status has codes of pending transactions';
  expect(() => readBankFile(text)).toThrow(expect.objectContaining({ message: fault }));
  expect(readBankFile(text.replace('pending: none', 'pending: id-changes')).pending).toBe('id-changes');
});

describe('named parameters', () => {
  it('have a place each time they occur', () => {
    expect(positioned('SELECT :a, :b, :a', (position) => `$${position}`)).toEqual({
      text: 'SELECT $1, $2, $3',
      names: ['a', 'b', 'a'],
    });
  });

  it.each([
    "SELECT ':a'",
    "SELECT 'it''s :a'",
    "SELECT E'it\\'s :a'",
    'SELECT ":a"',
    'SELECT 1::text',
    'SELECT 1 -- :a',
    'SELECT /* :a\n */ 1',
    'SELECT $tag$ :a $tag$, $$ :a $$',
    'SELECT x[1:2]',
  ])('are not colons of another kind: %s', (sql) => {
    expect(parametersIn(sql)).toEqual([]);
    expect(positioned(sql, () => '?')).toEqual({ text: sql, names: [] });
  });
});
