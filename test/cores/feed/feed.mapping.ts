const creditor =
  '{ scheme: { column: FORM, codes: payees }, identification: PAYEE, name: PAYEE_NAME, proxy: { code: ALIAS, identification: ALIAS_ID } }';
const agentOf = (side: string): string =>
  `{ bic: ${side}BIC, name: ${side}BANK, lei: ${side}BANK_LEI, address: { townName: ${side}TOWN, country: ${side}LAND, ` +
  `streetName: ${side}STREET, buildingNumber: ${side}NO, postCode: ${side}POST } }`;

/** The file of a bank whose names are its own. */
export const mapping = `
name: nightly
pending: id-kept
maxTransactionHistory: P7Y
csv: { delimiter: ';' }
codes:
  yesNo: { 'Y': true, 'N': false }
  payees: { SC: sort-code, IB: iban, BB: bban }
accounts:
  columns:
    ref: ACC
    product: { column: TYPE, codes: { CUR: CurrentAccount, SAV: Savings, CRD: CreditCard } }
    currency: CCY
    description: LABEL
    permitted: { column: OPEN, codes: yesNo }
    holder: { value: personal }
    sortCode: SORT
    accountNumber: NUMBER
    iban: IBAN
    lei: LEI
    cardLastFour: CARD
holders:
  columns: { customer: CUST, account: ACC }
balances:
  columns:
    account: ACC
    kind: { column: KIND, codes: { LEDGER: booked, AVAILABLE: available } }
    amount: { column: AMOUNT, as: decimal, currency: CCY }
    at: { column: AT, as: iso }
    creditLimit: { column: LIMIT, as: decimal, currency: CCY }
transactions:
  columns:
    account: ACC
    id: ID
    status: { column: STATE, codes: { POSTED: booked, HELD: pending, REFUSED: rejected } }
    at: { column: AT, as: iso }
    madeAt: { column: MADE, as: iso }
    expectedBookingAt: { column: DUE, as: iso }
    valueAt: { column: VALUE, as: iso }
    amount: { column: AMOUNT, as: minor-units, currency: CCY, sign: { column: SIDE, credit: CR, debit: DR } }
    description: TEXT
    runningBalance: { column: BALANCE, as: decimal, currency: CCY }
    exchange: { sourceCurrency: FX, rate: RATE }
    isoTransactionCode: { family: FAMILY, subFamily: SUB_FAMILY }
    bankTransactionCode: { code: OWN, issuer: OWN_BY }
    categoryPurpose: CAT
    paymentPurpose: PURP
    creditor: ${creditor}
    creditorAgent: ${agentOf('')}
    ultimateCreditor: { name: FOR, lei: FOR_LEI }
    debtor: { scheme: { column: D_FORM, codes: payees }, identification: D_PAYEE, name: D_NAME }
    debtorAgent: ${agentOf('D_')}
    ultimateDebtor: { name: D_FOR, lei: D_FOR_LEI }
party:
  columns: { customer: CUST, ref: PERSON, name: NAME }
offers:
  columns:
    account: ACC
    endMonth: UNTIL
    feePercentage: FEE
    minFeeAmount: { column: LEAST, as: decimal, currency: CCY }
    takeUpEndDate: { column: BY, as: DD/MM/YYYY }
scheduledPayments:
  only: { column: REACH, keep: DOM, leave: INT }
  columns:
    account: ACC
    id: ID
    dueAt: { column: DUE, as: iso }
    type: { column: HOW, codes: { EXE: execution, ARR: arrival } }
    reference: REF
    amount: { column: AMOUNT, as: decimal, currency: CCY }
    creditor: ${creditor}
    creditorAgent: ${agentOf('')}
beneficiaries:
  columns:
    account: ACC
    id: ID
    kind: KIND
    creditor: ${creditor}
    creditorAgent: ${agentOf('')}
statements:
  columns:
    account: ACC
    startAt: { column: OPENED, as: day }
    endAt: { column: CLOSED, as: day }
    createdAt: { column: MADE, as: iso }
    type: { value: regular }
    closingBalance: { column: OWED, as: decimal, currency: CCY }
    minimumPayment: { column: LEAST, as: decimal, currency: CCY }
directDebits:
  columns:
    account: ACC
    id: ID
    mandate: MANDATE
    status: STATUS
    name: TAKER
    frequency: { every: EVERY, interval: TIMES, day: DAY }
    classification: CLASS
    categoryPurpose: CAT
    firstPaymentAt: { column: FIRST, as: day }
    finalPaymentAt: { column: LAST, as: day }
    reason: WHY
standingOrders:
  only: { column: REACH, keep: [DOM], leave: [INT] }
  columns:
    account: ACC
    id: ID
    frequency: { every: EVERY, interval: TIMES, day: DAY }
    reference: REF
    nextPaymentAt: { column: NEXT, as: YYYYMMDD }
    status: STATUS
    categoryPurpose: CAT
    nextPaymentAmount: { column: AMOUNT, as: decimal, currency: CCY }
    creditor: ${creditor}
    creditorAgent: ${agentOf('')}
product:
  columns: { account: ACC, code: CODE, name: TITLE, type: FAMILY }
`;
