import type { AccessRequest, PageDocument, PageForm } from '../../src/authorisation-server/pages/customer-pages.js';
import { permissionClusters } from '../../src/authorisation-server/pages/permission-words.js';
import { checkedBrand } from '../../src/authorisation-server/pages/brand/brand.js';
import type { GivenAccess } from '../../src/authorisation-server/pages/dashboard-views.js';
import { pagesOf } from '../../src/authorisation-server/pages/pages.js';
import { siteOf, type Site } from '../../src/authorisation-server/pages/site.js';
import { permissionCodes } from '../../src/open-banking/permissions.js';

/** The words that come from outside; each can be replaced, to see whether it stays a word. */
export const plainWords = {
  tpp: 'Copper Budget',
  customer: 'Amelia Okafor',
  account: 'Everyday account',
  loginName: 'amelia',
  key: 'a1',
  csrf: 'b3f0c1d2e4',
  sentTo: 'the phone ending 204',
  shown: '42',
  address: '/as/interaction/7d0e',
};
export type OutsideWords = typeof plainWords & { readonly agent?: string };
/** The agent on the pages of a TPP that has one. */
export const agentName = 'Oak Money';

const brand = checkedBrand({ name: 'Hartwell & Rye Bank' });

export const testSite: Site = siteOf({ brand, timeZone: 'Europe/London', journeyMinutes: 10, dashboardIdleMinutes: 5 });

/** The same in Welsh. */
export const welshSite: Site = siteOf(testSite, brand.languages[1]);

const summer = new Date('2026-06-15T12:05:00Z');
const winter = new Date('2026-01-09T08:30:00Z');

const codeMessages = [
  'incomplete',
  'not-digits',
  'wrong-code',
  'code-replaced',
  'code-expired',
  'sent-again',
  'wait-for-code',
] as const;

/** The documents of every page in every state, by a name that can be a file's. */
export function pageStates(site: Site, words: OutsideWords = plainWords): Readonly<Record<string, string>> {
  const { signIn, oneTimeCode, approveInApp, chooseCustomer, authorise, funds, reauthenticate, overview, ...others } =
    pagesOf(site);
  const { notice, confirmWithdrawal } = others;
  const form: PageForm = { action: words.address, csrf: words.csrf };
  const withStartPage = { ...site, brand: { ...site.brand, startPage: 'https://bank.example/' } };
  const tpp = { id: 'tpp-id-1', name: words.tpp, ...(words.agent !== undefined && { agent: words.agent }) };
  const everything: AccessRequest = {
    tpp,
    clusters: permissionClusters(permissionCodes),
    expiresAt: new Date('2026-12-31T23:59:59Z'),
    transactionsFrom: new Date('2025-06-01T00:00:00Z'),
    transactionsTo: new Date('2026-05-31T00:00:00Z'),
  };
  const little: AccessRequest = {
    tpp,
    clusters: permissionClusters([
      'ReadAccountsBasic',
      'ReadBalances',
      'ReadTransactionsBasic',
      'ReadTransactionsDebits',
    ]),
  };
  const littleUntil = { ...little, transactionsTo: summer };
  const basic: AccessRequest = {
    tpp,
    clusters: permissionClusters(
      permissionCodes.filter((code) => code.endsWith('Basic') || code === 'ReadTransactionsCredits'),
    ),
    transactionsFrom: new Date('2025-06-01T00:00:00Z'),
  };
  const accounts = [
    { key: words.key, name: words.account, endsWith: '0010', product: 'CurrentAccount' },
    { key: 'a2', name: 'Rainy day', endsWith: '4471', product: 'Savings' },
    { key: 'a3', name: 'Platinum card', endsWith: '9902', product: 'CreditCard' },
  ];
  const many = Array.from({ length: 20 }, (_, index) => ({
    key: `c${index + 1}`,
    name: `${words.account} ${index + 1}`,
    endsWith: String(1000 + index),
    product: 'Savings',
  }));
  const products = ['RewardsPayPlus', 'RoundUp', 'Unheard'];
  const unnamed = products.map((product, at) => ({ key: `b${at}`, endsWith: '1', product }));
  const withheld = [
    { key: 'w1', name: words.account, endsWith: '0052', product: 'CurrentAccount', withheld: 'restricted' },
    { key: 'w2', product: 'RoundUp', withheld: 'not-served' },
    { key: 'w3', name: 'Second card', endsWith: '1881', product: 'CreditCard', withheld: 'not-asked' },
  ] as const;
  const ofAgent: AccessRequest = { ...everything, tpp: { agent: agentName, ...tpp } };
  const forFunds: AccessRequest = { tpp, forFunds: true, clusters: [] };
  const step = { form, request: everything, again: false };
  const sent = { sentTo: words.sentTo, checkDetails: `${words.address}?check-details` };
  const awaited = { check: words.address, checkDetails: `${words.address}?check-details` };
  const code = { ...step, ...sent };
  const again = { ...step, request: little, again: true, customerName: words.customer, accounts, givenAt: winter };
  const ofFunds = {
    request: forFunds,
    customerName: words.customer,
    account: { name: words.account, endsWith: '5678', product: 'CurrentAccount' },
  };
  const choice = { ...step, customerName: words.customer, accounts };
  const given: GivenAccess = {
    request: everything,
    accounts,
    givenAt: winter,
    lastUsedAt: summer,
    lastAuthenticatedAt: new Date('2026-06-01T07:12:00Z'),
  };
  const unused: GivenAccess = { request: little, accounts, givenAt: summer, lastAuthenticatedAt: summer };
  const withdraw = words.address;
  const resume = words.address;
  const names = [words.customer, 'Oak Joinery Ltd'];
  const mine = { customerName: words.customer, signOut: form, current: [], past: [] };
  const confirmed = { form, keep: words.address, signOut: form };
  const back = { tpp, back: form };

  const documents: Readonly<Record<string, PageDocument>> = {
    'sign-in': signIn(step),
    'sign-in-agent': signIn({ ...step, request: ofAgent }),
    'sign-in-again': signIn({ ...step, request: little, again: true }),
    'sign-in-withdrawn': signIn({ ...step, request: little, again: true, withdrawnAt: summer }),
    'sign-in-not-recognised': signIn({ ...step, message: 'not-recognised' }),
    'sign-in-incomplete': signIn({ ...step, message: 'incomplete', loginName: words.loginName }),
    'sign-in-unavailable': signIn({ ...step, message: 'unavailable' }),
    'sign-in-at-bank': signIn({ ...step, atBank: true }),
    'sign-in-at-bank-not-finished': signIn({ ...step, atBank: true, message: 'not-finished' }),
    'approve-in-app': approveInApp({ ...step, ...awaited, shown: words.shown }),
    'approve-in-app-plain': approveInApp({ ...step, ...awaited }),
    'choose-customer': chooseCustomer({ ...step, names }),
    'choose-customer-none': chooseCustomer({ ...step, names, message: 'choose-a-customer' }),
    code: oneTimeCode(code),
    ...Object.fromEntries(codeMessages.map((message) => [`code-${message}`, oneTimeCode({ ...code, message })])),
    authorise: authorise(choice),
    'authorise-agent': authorise({ ...choice, request: ofAgent }),
    'authorise-little': authorise({ ...choice, request: little }),
    'authorise-withheld': authorise({ ...choice, accounts: [...withheld, ...accounts] }),
    'authorise-choose': authorise({ ...choice, accounts, message: 'choose-an-account' }),
    'authorise-all-chosen': authorise({ ...choice, allChosen: true }),
    'authorise-missing': authorise({ ...choice, incomplete: true }),
    'authorise-many': authorise({ ...choice, accounts: many }),
    'authorise-basic': authorise({ ...choice, request: basic, accounts: unnamed, message: 'incomplete' }),
    'sign-in-funds': signIn({ ...step, request: forFunds }),
    funds: funds({ ...step, ...ofFunds }),
    'funds-unavailable': funds({ ...step, ...ofFunds, message: 'unavailable' }),
    'reauthenticate-funds': reauthenticate({ ...again, request: forFunds, accounts: [ofFunds.account] }),
    reauthenticate: reauthenticate(again),
    'reauthenticate-missing': reauthenticate({ ...again, incomplete: true }),
    'reauthenticate-withdrawn': reauthenticate({ ...again, withdrawnAt: summer }),
    'reauthenticate-unavailable': reauthenticate({ ...again, request: everything, message: 'unavailable' }),
    'reauthenticate-incomplete': reauthenticate({ ...again, request: littleUntil, message: 'incomplete' }),
    'notice-ended': notice({ kind: 'ended' }),
    'notice-ended-start-page': pagesOf(withStartPage).notice({ kind: 'ended' }),
    'notice-form-expired': notice({ kind: 'form-expired', ...back, resume }),
    'notice-blocked': notice({ kind: 'blocked', ...back }),
    'notice-elsewhere': notice({ kind: 'elsewhere', resume }),
    'notice-leaving': notice({ kind: 'leaving', resume }),
    'notice-locked': notice({ kind: 'locked', ...back, resume }),
    'notice-must-change-password': notice({ kind: 'must-change-password', ...back, resume }),
    'notice-another-customer': notice({ kind: 'another-customer', ...back }),
    'notice-too-late': notice({ kind: 'too-late', ...back }),
    'notice-already-decided': notice({ kind: 'already-decided', ...back }),
    'notice-tpp-barred': notice({ kind: 'tpp-barred', tpp: back.tpp, resume }),
    'notice-no-accounts': notice({ kind: 'no-accounts', ...back }),
    'notice-accounts-unavailable': notice({ kind: 'accounts-unavailable', ...back, resume }),
    'notice-bad-request': notice({ kind: 'bad-request' }),
    'notice-too-many-requests': notice({ kind: 'too-many-requests' }),
    'notice-unavailable': notice({ kind: 'unavailable', ...back, resume }),
    'dashboard-sign-in': signIn({ form }),
    'dashboard-sign-in-timed-out': signIn({ form, ended: 'timed-out' }),
    'dashboard-sign-in-signed-out': signIn({ form, ended: 'signed-out' }),
    'dashboard-sign-in-not-recognised': signIn({ form, message: 'not-recognised' }),
    'dashboard-code': oneTimeCode({ form, ...sent }),
    'dashboard-code-sent-again': oneTimeCode({ form, ...sent, message: 'sent-again' }),
    'dashboard-sign-in-at-bank': signIn({ form, atBank: true }),
    'dashboard-approve-in-app': approveInApp({ form, ...awaited, shown: words.shown }),
    'dashboard-choose-customer': chooseCustomer({ form, names }),
    'dashboard-leaving': notice({ kind: 'leaving', resume }),
    'dashboard-locked': notice({ kind: 'locked', resume }),
    'dashboard-must-change-password': notice({ kind: 'must-change-password', resume }),
    dashboard: overview({
      ...mine,
      current: [given, unused].map((access) => ({ ...access, withdraw })),
      past: [
        { ...unused, endedAt: summer, how: 'withdrawn' },
        { ...given, endedAt: summer, how: 'expired' },
        { request: everything, endedAt: winter, how: 'refused' },
      ],
    }),
    'dashboard-agent': overview({ ...mine, current: [{ ...given, request: ofAgent, withdraw }] }),
    'dashboard-withdrawn': overview({
      ...mine,
      past: [
        { ...given, endedAt: summer, how: 'ended-by-tpp' },
        { ...given, accounts: [{ product: 'Savings' }], endedAt: summer, how: 'ended-by-bank' },
      ],
      withdrawn: tpp,
    }),
    'dashboard-grouped': overview({
      ...mine,
      current: [
        { ...given, withdraw },
        { ...unused, request: { ...little, tpp: { id: 'tpp-id-2', name: 'Alder' } }, withdraw },
        { ...unused, withdraw },
        { ...unused, request: { ...little, tpp: { id: 'tpp-id-3', name: 'Alder' } }, withdraw },
      ],
    }),
    'dashboard-continued': overview({
      ...mine,
      continued: true,
      past: [{ ...unused, request: { ...little, tpp: { id: 'tpp-id-4' } }, endedAt: summer, how: 'withdrawn' }],
    }),
    'dashboard-long': overview({
      ...mine,
      current: [given, { ...given, request: forFunds }].map((access) => ({ ...access, withdraw })),
      past: [{ ...unused, endedAt: summer, how: 'withdrawn' }],
      moreCurrent: words.address,
      morePast: words.address,
    }),
    'dashboard-empty': overview(mine),
    'dashboard-withdraw-funds': confirmWithdrawal({ ...confirmed, access: { ...given, request: forFunds } }),
    'dashboard-withdraw': confirmWithdrawal({ ...confirmed, access: given }),
    'dashboard-form-expired': notice({ kind: 'form-expired', resume }),
    'dashboard-blocked': notice({ kind: 'blocked' }),
    'dashboard-elsewhere': notice({ kind: 'elsewhere', resume }),
    'dashboard-no-access': notice({ kind: 'no-access', resume }),
    'dashboard-unavailable': notice({ kind: 'outcome-unknown', resume }),
  };
  return Object.fromEntries(Object.entries(documents).map(([name, { html }]) => [name, html]));
}
