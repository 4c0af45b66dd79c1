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
  const journey = pagesOf(site);
  const dashboard = journey;
  const form: PageForm = { action: words.address, csrf: words.csrf };
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
  const withheld = [
    { key: 'w1', name: words.account, endsWith: '0052', product: 'CurrentAccount', withheld: 'restricted' },
    { key: 'w2', product: 'RoundUp', withheld: 'not-served' },
    { key: 'w3', name: 'Second card', endsWith: '1881', product: 'CreditCard', withheld: 'not-asked' },
  ] as const;
  const ofAgent: AccessRequest = { ...everything, tpp: { agent: agentName, ...tpp } };
  const funds: AccessRequest = { tpp, forFunds: true, clusters: [] };
  const step = { form, request: everything, again: false };
  const sent = { sentTo: words.sentTo, checkDetails: `${words.address}?check-details` };
  const awaited = { check: words.address, checkDetails: `${words.address}?check-details` };
  const code = { ...step, ...sent };
  const again = { ...step, request: little, again: true, customerName: words.customer, accounts, givenAt: winter };
  const ofFunds = {
    request: funds,
    customerName: words.customer,
    account: { name: words.account, endsWith: '5678', product: 'CurrentAccount' },
  };
  const authorise = { ...step, customerName: words.customer, accounts };
  const given: GivenAccess = {
    request: everything,
    accounts,
    givenAt: winter,
    lastUsedAt: summer,
    lastAuthenticatedAt: new Date('2026-06-01T07:12:00Z'),
  };
  const unused: GivenAccess = { request: little, accounts, givenAt: summer, lastAuthenticatedAt: summer };
  const withdraw = words.address;
  const overview = { customerName: words.customer, signOut: form } as const;
  const back = { tpp, back: form };

  const documents: Readonly<Record<string, PageDocument>> = {
    'sign-in': journey.signIn(step),
    'sign-in-agent': journey.signIn({ ...step, request: ofAgent }),
    'sign-in-again': journey.signIn({ ...step, request: little, again: true }),
    'sign-in-withdrawn': journey.signIn({ ...step, request: little, again: true, withdrawnAt: summer }),
    'sign-in-not-recognised': journey.signIn({ ...step, message: 'not-recognised' }),
    'sign-in-incomplete': journey.signIn({ ...step, message: 'incomplete', loginName: words.loginName }),
    'sign-in-unavailable': journey.signIn({ ...step, message: 'unavailable' }),
    'sign-in-at-bank': journey.signIn({ ...step, atBank: true }),
    'sign-in-at-bank-not-finished': journey.signIn({ ...step, atBank: true, message: 'not-finished' }),
    'approve-in-app': journey.approveInApp({ ...step, ...awaited, shown: words.shown }),
    'approve-in-app-plain': journey.approveInApp({ ...step, ...awaited }),
    'choose-customer': journey.chooseCustomer({ ...step, names: [words.customer, 'Oak Joinery Ltd'] }),
    'choose-customer-none': journey.chooseCustomer({
      ...step,
      names: [words.customer, 'Oak Joinery Ltd'],
      message: 'choose-a-customer',
    }),
    code: journey.oneTimeCode(code),
    ...Object.fromEntries(
      codeMessages.map((message) => [`code-${message}`, journey.oneTimeCode({ ...code, message })]),
    ),
    authorise: journey.authorise(authorise),
    'authorise-agent': journey.authorise({ ...authorise, request: ofAgent }),
    'authorise-little': journey.authorise({ ...authorise, request: little }),
    'authorise-withheld': journey.authorise({ ...authorise, accounts: [...withheld, ...accounts] }),
    'authorise-choose': journey.authorise({ ...authorise, accounts, message: 'choose-an-account' }),
    'authorise-all-chosen': journey.authorise({ ...authorise, allChosen: true }),
    'authorise-missing': journey.authorise({ ...authorise, incomplete: true }),
    'authorise-many': journey.authorise({
      ...authorise,
      accounts: Array.from({ length: 20 }, (_, index) => ({
        key: `c${index + 1}`,
        name: `${words.account} ${index + 1}`,
        endsWith: String(1000 + index),
        product: 'Savings',
      })),
    }),
    'authorise-basic': journey.authorise({
      ...authorise,
      request: basic,
      accounts: ['RewardsPayPlus', 'RoundUp', 'Unheard'].map((product, at) => ({
        key: `b${at}`,
        endsWith: '1',
        product,
      })),
      message: 'incomplete',
    }),
    'sign-in-funds': journey.signIn({ ...step, request: funds }),
    funds: journey.funds({ ...step, ...ofFunds }),
    'funds-unavailable': journey.funds({ ...step, ...ofFunds, message: 'unavailable' }),
    'reauthenticate-funds': journey.reauthenticate({ ...again, request: funds, accounts: [ofFunds.account] }),
    reauthenticate: journey.reauthenticate(again),
    'reauthenticate-missing': journey.reauthenticate({ ...again, incomplete: true }),
    'reauthenticate-withdrawn': journey.reauthenticate({ ...again, withdrawnAt: summer }),
    'reauthenticate-unavailable': journey.reauthenticate({ ...again, request: everything, message: 'unavailable' }),
    'reauthenticate-incomplete': journey.reauthenticate({
      ...again,
      request: { ...little, transactionsTo: summer },
      message: 'incomplete',
    }),
    'notice-ended': journey.notice({ kind: 'ended' }),
    'notice-ended-start-page': pagesOf({
      ...site,
      brand: { ...site.brand, startPage: 'https://bank.example/' },
    }).notice({ kind: 'ended' }),
    'notice-form-expired': journey.notice({ kind: 'form-expired', ...back, resume: words.address }),
    'notice-blocked': journey.notice({ kind: 'blocked', ...back }),
    'notice-elsewhere': journey.notice({ kind: 'elsewhere', resume: words.address }),
    'notice-leaving': journey.notice({ kind: 'leaving', resume: words.address }),
    'notice-locked': journey.notice({ kind: 'locked', ...back, resume: words.address }),
    'notice-must-change-password': journey.notice({ kind: 'must-change-password', ...back, resume: words.address }),
    'notice-another-customer': journey.notice({ kind: 'another-customer', ...back }),
    'notice-too-late': journey.notice({ kind: 'too-late', ...back }),
    'notice-already-decided': journey.notice({ kind: 'already-decided', ...back }),
    'notice-tpp-barred': journey.notice({ kind: 'tpp-barred', tpp: back.tpp, resume: words.address }),
    'notice-no-accounts': journey.notice({ kind: 'no-accounts', ...back }),
    'notice-accounts-unavailable': journey.notice({ kind: 'accounts-unavailable', ...back, resume: words.address }),
    'notice-bad-request': journey.notice({ kind: 'bad-request' }),
    'notice-too-many-requests': journey.notice({ kind: 'too-many-requests' }),
    'notice-unavailable': journey.notice({ kind: 'unavailable', ...back, resume: words.address }),
    'dashboard-sign-in': dashboard.signIn({ form }),
    'dashboard-sign-in-timed-out': dashboard.signIn({ form, ended: 'timed-out' }),
    'dashboard-sign-in-signed-out': dashboard.signIn({ form, ended: 'signed-out' }),
    'dashboard-sign-in-not-recognised': dashboard.signIn({ form, message: 'not-recognised' }),
    'dashboard-code': dashboard.oneTimeCode({ form, ...sent }),
    'dashboard-code-sent-again': dashboard.oneTimeCode({ form, ...sent, message: 'sent-again' }),
    'dashboard-sign-in-at-bank': dashboard.signIn({ form, atBank: true }),
    'dashboard-approve-in-app': dashboard.approveInApp({ form, ...awaited, shown: words.shown }),
    'dashboard-choose-customer': dashboard.chooseCustomer({ form, names: [words.customer, 'Oak Joinery Ltd'] }),
    'dashboard-leaving': dashboard.notice({ kind: 'leaving', resume: words.address }),
    'dashboard-locked': dashboard.notice({ kind: 'locked', resume: words.address }),
    'dashboard-must-change-password': dashboard.notice({ kind: 'must-change-password', resume: words.address }),
    dashboard: dashboard.overview({
      ...overview,
      current: [
        { ...given, withdraw },
        { ...unused, withdraw },
      ],
      past: [
        { ...unused, endedAt: summer, how: 'withdrawn' },
        { ...given, endedAt: summer, how: 'expired' },
        { request: everything, endedAt: winter, how: 'refused' },
      ],
    }),
    'dashboard-agent': dashboard.overview({
      ...overview,
      current: [{ ...given, request: ofAgent, withdraw }],
      past: [],
    }),
    'dashboard-withdrawn': dashboard.overview({
      ...overview,
      current: [],
      past: [
        { ...given, endedAt: summer, how: 'ended-by-tpp' },
        { ...given, accounts: [{ product: 'Savings' }], endedAt: summer, how: 'ended-by-bank' },
      ],
      withdrawn: tpp,
    }),
    'dashboard-grouped': dashboard.overview({
      ...overview,
      current: [
        { ...given, withdraw },
        { ...unused, request: { ...little, tpp: { id: 'tpp-id-2', name: 'Alder' } }, withdraw },
        { ...unused, withdraw },
        { ...unused, request: { ...little, tpp: { id: 'tpp-id-3', name: 'Alder' } }, withdraw },
      ],
      past: [],
    }),
    'dashboard-continued': dashboard.overview({
      ...overview,
      continued: true,
      current: [],
      past: [{ ...unused, request: { ...little, tpp: { id: 'tpp-id-4' } }, endedAt: summer, how: 'withdrawn' }],
    }),
    'dashboard-long': dashboard.overview({
      ...overview,
      current: [
        { ...given, withdraw },
        { ...given, request: funds, withdraw },
      ],
      past: [{ ...unused, endedAt: summer, how: 'withdrawn' }],
      moreCurrent: words.address,
      morePast: words.address,
    }),
    'dashboard-empty': dashboard.overview({ ...overview, current: [], past: [] }),
    'dashboard-withdraw-funds': dashboard.confirmWithdrawal({
      access: { ...given, request: funds },
      form,
      keep: words.address,
      signOut: form,
    }),
    'dashboard-withdraw': dashboard.confirmWithdrawal({ access: given, form, keep: words.address, signOut: form }),
    'dashboard-form-expired': dashboard.notice({ kind: 'form-expired', resume: words.address }),
    'dashboard-blocked': dashboard.notice({ kind: 'blocked' }),
    'dashboard-elsewhere': dashboard.notice({ kind: 'elsewhere', resume: words.address }),
    'dashboard-no-access': dashboard.notice({ kind: 'no-access', resume: words.address }),
    'dashboard-unavailable': dashboard.notice({ kind: 'outcome-unknown', resume: words.address }),
  };
  return Object.fromEntries(Object.entries(documents).map(([name, { html }]) => [name, html]));
}
