import { relative } from 'node:path';
import type { PersonaSummary } from '../actions/bank.js';
import { type ConsentOptions, type GivenConsent, curlLine } from '../actions/consent.js';
import { askAgainLine, type FundsAnswer } from '../actions/funds.js';
import type { RegisteredTpp } from '../actions/new-tpp.js';
import type { PublishedFacts } from '../clients/published-facts.js';
import type { TppFolder } from '../new-tpps/tpp-folder.js';

/** The results of commands, for a person. */

export function personaText({
  name,
  displayName,
  loginName,
  password,
  accounts,
  shows,
  fault,
}: PersonaSummary): string {
  return [
    `${name === displayName ? name : `${name} (${displayName})`}: ${shows}`,
    `  signs in as ${loginName} with ${password} (in the sandbox only)`,
    ...accounts.map(({ core, ref, product }) => `  ${ref}  ${product}${core === undefined ? '' : `  at ${core}`}`),
    ...(fault === undefined ? [] : [`  ${fault}`]),
  ].join('\n');
}

type Window = PublishedFacts['AuthenticationWindow'];

export function consentText(given: GivenConsent, { authenticatedAgoMs = 0 }: ConsentOptions, window: Window): string {
  const accounts = given.Accounts.map(({ ref, AccountId, Product }) => `  ${ref}  ${AccountId}  ${Product}`);
  const closed = authenticatedAgoMs >= window.Seconds * 1000 ? [closedWindow(given.ConsentId, window), ''] : [];
  return [`consent ${given.ConsentId}`, ...accounts, '', ...closed, curlLine(given)].join('\n');
}

export function fundsText(answer: FundsAnswer): string {
  const { Amount, Currency } = answer.InstructedAmount;
  return `${answer.FundsAvailable ? 'yes' : 'no'}: ${Amount} ${Currency} from ${answer.Account}
  consent  ${answer.ConsentId}
  request  ${answer.Reference}
  answer   ${answer.FundsConfirmationId}

${askAgainLine(answer)}`;
}

/** Describes the endpoints that the gateway still answers for this consent. */
function closedWindow(consentId: string, facts: Window): string {
  const { Seconds, ExemptEndpoints, ExemptInRecentHistory, RecentHistoryDays } = facts;
  const recent = ExemptInRecentHistory.map((endpoint) => `${endpoint} of the last ${RecentHistoryDays} days`);
  return `The authentication window is closed: the customer authenticated ${Seconds} seconds ago or more.
These still answer: ${[...ExemptEndpoints, ...recent].join(', ')}. All else is 403 Reauthentication until
  npm run --silent sandbox -- reauthenticate ${consentId}`;
}

export function newTppText(
  { name, clientId, folder, scope }: TppFolder,
  inboxUrl: string,
  persona: PersonaSummary | undefined,
): string {
  return `${name} is registered with the bank as ${clientId}.

Its settings, certificate, key and programs are in ${shown(folder)}. ${scope === 'accounts' ? 'Read accounts' : 'Ask for funds'} with them:

  cd ${shown(folder)}
  npm start

It prints an address: open it, sign in as ${persona?.loginName} with ${persona?.password}, take the code from
${inboxUrl}, and approve. Outside of this project run \`npm install\` in the folder first.

With curl: --cert transport.pem --cacert authority.pem`;
}

export function tppText({ name, clientId, status, fapi, redirectUris, folder }: RegisteredTpp): string {
  return [
    `${name} (${[status, `FAPI ${fapi}`].filter(Boolean).join(', ')})`,
    `  client id  ${clientId}`,
    ...redirectUris.map((uri) => `  redirects  ${uri}`),
    ...(folder === undefined ? [] : [`  folder     ${shown(folder)}`]),
  ].join('\n');
}

/** As short as it can be typed from here. */
export function shown(folder: string): string {
  const short = relative(process.cwd(), folder);
  return short.startsWith('..') ? folder : short;
}
