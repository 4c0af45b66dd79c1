/**
 * The promises of a core adapter, clause by clause: the ids and sentences of the kit's tests and of
 * `docs/bank/clauses.md`. An id never changes its meaning, and the id of a clause that is gone does not come back; a new
 * clause takes the next number.
 */
export const clauses = [
  clause('CORE-01', 'each setting that is missing or wrong is refused by its name, without its value', 'with-reason'),
  clause('CORE-02', 'each missing read is declared with its reason, and the skipped clauses agree', 'never'),
  clause('CORE-03', 'the account list has all accounts of the customer, as the core has them', 'never'),
  clause('CORE-04', 'the account list is the same between calls, its references unique', 'never'),
  clause('CORE-05', 'an account read alone or with its records is the account of the list', 'never'),
  clause('CORE-06', 'an account that the core does not know is account-not-found, however it is written', 'never'),
  clause('CORE-07', 'a customer whom the core does not know has no accounts', 'never'),
  clause('CORE-08', 'one customer never sees another’s account', 'never'),
  clause('CORE-09', 'an account is permitted or not as the core has it', 'with-reason'),
  clause('CORE-10', 'balances are as the core has them', ['balances']),
  clause('CORE-11', 'transactions are as the core has them', ['transactions']),
  clause('CORE-12', 'the party is the customer who asks', ['party']),
  clause('CORE-13', 'offers are as the core has them', ['offers']),
  clause('CORE-14', 'scheduled payments are as the core has them', ['scheduledPayments']),
  clause('CORE-15', 'beneficiaries are as the core has them', ['beneficiaries']),
  clause('CORE-16', 'the statement is as the core has it', ['statements']),
  clause('CORE-17', 'direct debits are as the core has them', ['directDebits']),
  clause('CORE-18', 'standing orders are as the core has them', ['standingOrders']),
  clause('CORE-19', 'the product is as the core has it', ['product']),
  clause('CORE-20', 'an account without records of a kind has an empty list, and no fault', 'with-reason'),
  clause('CORE-21', 'amounts are whole numbers of minor units of their currency', 'never'),
  clause('CORE-22', 'currencies without decimals and with three keep to their own minor unit', 'with-reason'),
  clause('CORE-23', 'money out is negative on every product, and running balances differ by the amount', 'never'),
  clause('CORE-24', 'a day without a time stays a day', 'with-reason'),
  clause('CORE-25', '29 February is 29 February', 'with-reason'),
  clause('CORE-26', 'times on the two days on which London’s clocks change are right', 'with-reason'),
  clause('CORE-27', 'every other time is right to the millisecond', 'with-reason'),
  clause('CORE-28', 'a core in another time zone gives the same times', 'with-reason'),
  clause('CORE-29', 'every row is inside the period that is asked for: from is inclusive, to exclusive', [
    'transactions',
  ]),
  clause('CORE-30', 'the filters money in, money out and booked only are exact; zero is money in', ['transactions']),
  clause('CORE-32', 'the pages together have each row once, from either side', ['transactions']),
  clause(
    'CORE-33',
    'a transaction that is booked while pages are read does not move the pages',
    ['transactions'],
    'with-reason',
  ),
  clause('CORE-34', 'a pending transaction has the time it was made, and no booking time', ['transactions'], 'pending'),
  clause('CORE-35', 'a pending transaction keeps its id when it is booked', ['transactions'], 'id-kept'),
  clause('CORE-36', 'a transaction that cannot be dated is a bad record', ['transactions']),
  clause('CORE-37', 'one bad record among good ones is omitted and named, the others stay', 'with-reason'),
  clause('CORE-38', 'where every record is bad there is no list: each is named, or the read fails', 'with-reason'),
  clause(
    'CORE-39',
    'scheduled payments and standing orders are domestic',
    ['scheduledPayments', 'standingOrders'],
    'with-reason',
  ),
  clause('CORE-40', 'only the latest statement is given', ['statements'], 'with-reason'),
  clause('CORE-41', 'only the last four digits of a card are given', 'with-reason'),
  clause('CORE-43', 'names and texts are unchanged in any script', 'with-reason'),
  clause('CORE-44', 'a core that refuses the connection is unavailable', 'never'),
  clause('CORE-45', 'a core that does not answer, or not to the end, is a timeout at the deadline', 'never'),
  clause('CORE-46', 'a connection reset in mid-answer is unavailable', 'never'),
  clause('CORE-47', 'an answer cut short is a bad record', 'never'),
  clause('CORE-48', 'a page of HTML is a bad record, and under status 503 unavailable', 'never'),
  clause('CORE-49', 'status 429 is rate-limited, with the seconds of Retry-After', 'never'),
  clause('CORE-50', 'values of wrong types are a bad record', 'with-reason'),
  clause('CORE-51', 'no fault repeats the core’s answer, a secret, a name or an account number', 'never'),
  clause('CORE-52', 'the signal ends every call at once and is not listened to afterwards', 'never'),
  clause('CORE-53', 'fifty simultaneous reads give equal answers', 'never'),
  clause('CORE-54', 'health distinguishes a core that is up from one that is down', 'never'),
  clause('CORE-55', 'closing leaves no connection and no timer', 'never'),
  clause('CORE-56', 'each holder of a shared account gets their own party and the same records', 'with-reason'),
  clause(
    'CORE-57',
    'scheduled payments and standing orders keep to their currency’s minor unit',
    ['scheduledPayments', 'standingOrders'],
    'with-reason',
  ),
  clause('CORE-59', 'the next read shows a change in the core: the state of an account, a balance', 'with-reason'),
  clause('CORE-60', 'the interaction id reaches the core', 'never'),
  clause(
    'CORE-61',
    'reads use no more connections than CORE_CONNECTIONS, and one read no more than it declares',
    'never',
  ),
  clause('CORE-62', 'a core at fault is asked a few times at most', 'never'),
  clause('CORE-63', 'nothing of a customer is written to standard output or standard error', 'never'),
  clause('CORE-64', 'generated histories and queries are answered as a model of the port answers them', [
    'transactions',
  ]),
  clause('CORE-65', 'no line of the log holds a customer’s data, a secret or the core’s words', 'never'),
  clause('CORE-66', 'simultaneous reads of different customers, or with different signals, do not mix', 'never'),
  clause(
    'CORE-67',
    'an error, a refused login or a 404 of another server is neither an answer nor an unknown account',
    'never',
  ),
  clause(
    'CORE-68',
    'credit limits, running balances, offers and statements keep to their currency’s minor unit',
    'with-reason',
  ),
  clause('CORE-70', 'a new delivery is in the next read, and no read fails while it is taken', 'never'),
  clause('CORE-71', 'a delivery with a record that cannot be read changes nothing', 'never'),
  clause('CORE-72', 'a delivery of which a part is missing changes nothing', 'never'),
  clause('CORE-73', 'an older delivery, and one that comes again, change nothing', 'never'),
  clause('CORE-74', 'a delivery cut off while it is taken changes nothing, and the next one is taken', 'never'),
  clause('CORE-75', 'data older than the configured age are stale in every read and in health', 'never'),
  clause('CORE-76', 'no balance is younger than the delivery', ['balances']),
  clause('CORE-77', 'after the core has ended a login, for example a token, reads sign in again', 'with-reason'),
  clause(
    'CORE-78',
    'a code word that the adapter does not know is a bad record, in each field that has one',
    'with-reason',
  ),
  clause(
    'CORE-79',
    'every kind of balance is negative where the customer owes it',
    ['balances', 'transactions', 'statements'],
    'with-reason',
  ),
  clause(
    'CORE-80',
    'an amount of zero that the core has is given, and a credit limit of 0.00 is one',
    ['balances'],
    'with-reason',
  ),
  clause('CORE-81', 'a list of more than a hundred accounts is complete', 'with-reason'),
  clause(
    'CORE-82',
    'an error that the core sends under status 200 is an error of its kind, with its wait',
    'with-reason',
  ),
  clause('CORE-83', 'no answer stays in memory after it was given', 'never'),
  clause(
    'CORE-84',
    'states, LEIs, BICs and codes of ISO 20022 have their forms, a family with its sub-family',
    'never',
  ),
  clause('CORE-85', 'each number of an account finds it, with the names of all its holders', ['findPaymentAccount']),
  clause('CORE-86', 'a number that no account has finds none', ['findPaymentAccount']),
  clause('CORE-87', 'funds are available to the last minor unit and not beyond it, and none below zero', [
    'fundsAvailable',
  ]),
  clause(
    'CORE-88',
    'the agreed overdraft counts where the question says so, and nowhere else',
    ['fundsAvailable'],
    'with-reason',
  ),
  clause('CORE-89', 'a blocked account has no funds available', ['fundsAvailable'], 'with-reason'),
  clause('CORE-90', 'no funds are available in another currency than the account’s', ['fundsAvailable']),
] as const;

export type ClauseId = (typeof clauses)[number]['id'];

/**
 * Where the data of an adapter come from: it asks the core over HTTP or over another protocol, or it reads a replica, a
 * copy that is delivered to it as files, events or a read model.
 */
export type CoreSource = 'http' | 'tcp' | 'replica';

/** A replica has no connections to break and no answers to spoil: whole deliveries and the age of its data replace them. */
// prettier-ignore
const ofConnections: readonly ClauseId[] = [
  'CORE-36', 'CORE-37', 'CORE-38', 'CORE-44', 'CORE-45', 'CORE-46', 'CORE-47', 'CORE-48', 'CORE-49', 'CORE-50',
  'CORE-54', 'CORE-60', 'CORE-61', 'CORE-62', 'CORE-67', 'CORE-77', 'CORE-78', 'CORE-82',
];
// prettier-ignore
const ofReplicas: readonly ClauseId[] = [
  'CORE-70', 'CORE-71', 'CORE-72', 'CORE-73', 'CORE-74', 'CORE-75', 'CORE-76',
];

/** The clauses by which an adapter with data of this source is checked. Some of them are skipped. */
export function clausesOf(source: CoreSource): Clause<ClauseId>[] {
  const ofOthers = source === 'replica' ? ofConnections : ofReplicas;
  return clauses.filter(({ id }) => !ofOthers.includes(id));
}

/**
 * When a clause may be skipped: `never`; `with-reason`, where the core has nothing of the kind; where the adapter lacks
 * one of the reads, or the kind of pending transactions, that it is about. `skipped-clauses.ts` adds those that the kit
 * cannot check itself.
 */
export interface Clause<Id extends string = string> {
  readonly id: Id;
  readonly sentence: string;
  /** The reads that it is about, all of which must be missing for it to be skipped on their account. */
  readonly reads: readonly string[];
  readonly also: 'never' | 'with-reason' | 'pending' | 'id-kept';
}

function clause<const Id extends string>(
  id: Id,
  sentence: string,
  about: 'never' | 'with-reason' | readonly string[],
  also?: Clause['also'],
): Clause<Id> {
  return typeof about === 'string'
    ? { id, sentence, reads: [], also: about }
    : { id, sentence, reads: about, also: also ?? 'never' };
}
