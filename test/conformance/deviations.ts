/** The official files, and the version of the API whose answers each describes. */
export const standardVersions = ['v3.1.2', 'v3.1.11r5', 'v4.0.1'] as const;
export type StandardVersion = (typeof standardVersions)[number];

/**
 * A place where an answer of the gateway breaks a schema of the standard because the interface specification demands it.
 */
export interface Deviation {
  readonly name: string;
  /** The versions whose schema it breaks. */
  readonly versions: readonly StandardVersion[];
  /** The heading of the decision in docs/spec-decisions.md. */
  readonly decision: string;
  /** Path of the endpoint in the standard's spelling. */
  readonly endpoint: string;
  /** JSON pointers of the members at fault. */
  readonly member: RegExp;
  /** The keyword of the schema that the answer breaks, and the value that breaks it. */
  readonly keyword: string;
  readonly value: (value: unknown) => boolean;
}

const all = standardVersions;
const account = '/accounts/{AccountId}';
const isNegativeAmount = (value: unknown): boolean => typeof value === 'string' && /^-\d+\.\d{2,}$/.test(value);

const isLongName = (value: unknown): boolean => typeof value === 'string' && value.length > 70 && value.length <= 350;
/** By the endpoint: the balances that have a sign, and their place. */
const signed = {
  balances: ['balances', 'Balance/\\d+'],
  transactions: ['running balances', 'Transaction/\\d+/Balance'],
  statements: ['closing balances of statements', 'Statement/\\d+/StatementAmount/\\d+'],
} as const;
const pending = [
  ['', 'BookingDateTime', 'format'],
  [' in a foreign currency', 'CurrencyExchange/SourceCurrency', 'pattern'],
  [' in a foreign currency', 'CurrencyExchange/ExchangeRate', 'type'],
] as const;
const creditors = {
  'scheduled-payments': 'ScheduledPayment',
  beneficiaries: 'Beneficiary',
  'standing-orders': 'StandingOrder',
};

/** All deviations. test/conformance/official.spec.ts fails on any other, and on one of these that no longer happens. */
export const deviations: readonly Deviation[] = [
  {
    name: "profile 1 answers a current account's balances with an empty list",
    versions: all,
    decision: 'D2 Current accounts in profile 1',
    endpoint: `${account}/balances`,
    member: /^\/Data\/Balance$/,
    keyword: 'minItems',
    value: (value) => Array.isArray(value) && value.length === 0,
  },
  ...Object.entries(signed).map(([endpoint, [balances, member]]): Deviation => ({
    name: `signed ${balances} below zero carry a minus sign`,
    versions: all,
    decision: 'D6 Signs',
    endpoint: `${account}/${endpoint}`,
    member: new RegExp(`^/Data/${member}/Amount/Amount$`),
    keyword: 'pattern',
    value: isNegativeAmount,
  })),
  ...pending.map(([transaction, member, keyword]): Deviation => ({
    name: `a pending transaction${transaction} has an empty ${member.split('/').at(-1)}`,
    versions: all,
    decision: 'D10 Pending transactions',
    endpoint: `${account}/transactions`,
    member: new RegExp(`^/Data/Transaction/\\d+/${member}$`),
    keyword,
    value: (value) => value === '',
  })),
  {
    name: 'a rhythm that the standard cannot say is NotKnown, a word of later versions',
    versions: ['v3.1.2'],
    decision: 'D18 Frequency',
    endpoint: `${account}/standing-orders`,
    member: /^\/Data\/StandingOrder\/\d+\/Frequency$/,
    keyword: 'pattern',
    value: (value) => value === 'NotKnown',
  },
  {
    name: "a customer's name is longer than 70 characters, which later versions allow",
    versions: ['v3.1.2'],
    decision: 'D28 Long names',
    endpoint: `${account}/party`,
    member: /^\/Data\/Party\/Name$/,
    keyword: 'maxLength',
    value: isLongName,
  },
  ...Object.entries(creditors).map(([endpoint, collection]): Deviation => ({
    name: `a payee's name in ${endpoint} is longer than 70 characters, which later versions allow`,
    versions: ['v3.1.2'],
    decision: 'D28 Long names',
    endpoint: `${account}/${endpoint}`,
    member: new RegExp(`^/Data/${collection}/\\d+/CreditorAccount/Name$`),
    keyword: 'maxLength',
    value: isLongName,
  })),
];
