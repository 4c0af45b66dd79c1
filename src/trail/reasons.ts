import type { OAuthReason } from '../open-banking/oauth-reasons.js';
import type { RefusalReason } from '../open-banking/reasons.js';
import { ofChanges } from './change-reasons.js';
import { ofForm } from './form-reasons.js';
import { ofOAuth } from './oauth-reasons.js';
import type { ReasonText } from './reason-text.js';
import { ofWithdrawals, type WithdrawalReason } from './withdrawal-reasons.js';

const tokenRemedy = 'The TPP gets another token from its issuer.';

/** The other reasons of a refused request, each in a sentence. */
const refusals: Readonly<Record<Exclude<RefusalReason, OAuthReason | keyof typeof ofForm>, ReasonText>> = {
  'token-invalid': {
    meaning: 'The token is not one of an accepted issuer, or breaks a rule of that issuer.',
    remedy: `${tokenRemedy} Where all tokens of an issuer fail, compare its entry in ISSUERS_FILE with the tokens.`,
  },
  'token-expired': { meaning: 'The token had expired.', remedy: 'The TPP refreshes its token.' },
  'token-issuer-unknown': {
    meaning: 'The token is of an issuer that is not configured.',
    remedy: 'Add the issuer to ISSUERS_FILE, if the bank trusts it.',
  },
  'token-unbound': { meaning: 'The token is not bound to a certificate or a key, and must be.', remedy: tokenRemedy },
  'certificate-missing': {
    meaning: 'The token, or the listener, needs a certificate, and the request had none, or a revoked one.',
    remedy: 'The caller connects with its present certificate; check that the proxy passes it on.',
  },
  'certificate-of-another': {
    meaning:
      'The token is bound to another certificate than the request came with, or the certificate is of another organisation.',
    remedy: 'The TPP uses the certificate with which it got the token, or gets a token with the new certificate.',
  },
  'authentication-too-weak': {
    meaning: 'The issuer says that the customer was not authenticated strongly enough.',
    remedy: 'The customer authenticates again; check the acr values of the issuer.',
  },
  'tpp-suspended': {
    meaning: 'The bank has suspended the TPP.',
    remedy: 'Reinstate the TPP once the cause has ended: tpps reinstate ID.',
  },
  'tpp-not-registered': {
    meaning: 'The TPP is suspended, not registered, or the directory has withdrawn it.',
    remedy: 'The TPP registers again with a present statement of the directory.',
  },
  'credential-wrong': {
    meaning: 'The caller of the bank’s port had neither the bank’s credential nor that of an operator.',
    remedy: 'Give the caller the present BANK_CREDENTIAL, or a credential: operators add NAME --role R.',
  },
  'own-proposal': {
    meaning: 'The operator wanted to approve a proposal that the same operator had made.',
    remedy: 'Another operator with the role approves it.',
  },
  'proposal-gone': {
    meaning: 'The proposal was approved before, has expired, or was never made.',
    remedy: 'List the proposals, or propose the act again.',
  },
  'second-person-needed': {
    meaning: 'With TWO_PERSONS=yes another operator must approve the act, and this request cannot propose it.',
    remedy: 'Use the command that the message of the answer names.',
  },
  'role-missing': {
    meaning: 'The credential at the bank’s port was right, but has no right to do this.',
    remedy: 'An operator with the role does it: operators list names the roles.',
  },
  'rate-limit': {
    meaning: 'The TPP sent requests faster than the published limit.',
    remedy: 'The TPP waits for as long as Retry-After said, or the bank raises TPP_REQUESTS_PER_SECOND.',
  },
  'unattended-limit': {
    meaning: 'Without the customer, the account was read as often as it may be in 24 hours.',
    remedy: 'The TPP waits, or states that the customer is present where that is so.',
  },
  'reads-waiting': {
    meaning: 'Too many reads of the TPP were waiting for the core.',
    remedy: 'The TPP sends fewer requests at a time; check the core’s duration and CORE_CONNECTIONS.',
  },
  'connections-taken': {
    meaning: 'The listener reached its limit of connections before the body arrived.',
    remedy: 'Close connections that are not used, or run more gateways.',
  },
  'credential-guesses': {
    meaning: 'Too many wrong credentials or tokens came from one network address or certificate.',
    remedy: 'Find the caller with the wrong credential or tokens.',
  },
  'consent-token-needed': {
    meaning: 'Account information was asked for with a token that is bound to no consent.',
    remedy: 'The TPP uses the token of the consent.',
  },
  'client-token-needed': {
    meaning: 'Consents were managed with a token that is bound to a consent.',
    remedy: 'The TPP uses a client-credentials token.',
  },
  'consent-ended': {
    meaning: 'The consent is not authorised, has expired, was withdrawn, or is another TPP’s.',
    remedy: 'The TPP asks the customer for a new consent.',
  },
  'authorisation-replaced': {
    meaning: 'A later authorisation of the consent replaced that of the token.',
    remedy: 'The TPP uses the tokens of the later authorisation.',
  },
  'customer-of-another-consent': {
    meaning: 'The token names another customer than the one who authorised the consent.',
    remedy: tokenRemedy,
  },
  'consent-mismatch': {
    meaning: 'The body of the request names another consent than the token.',
    remedy: 'The TPP uses the token of the consent that it names.',
  },
  'debtor-unknown': {
    meaning:
      'No core has an account with the scheme, identification and name that the TPP stated, for which funds are confirmed.',
    remedy: 'The TPP asks the customer for the details of the account.',
  },
  'currency-unsupported': {
    meaning: 'The check of funds named another currency than that of the account.',
    remedy: 'The TPP asks in the currency of the account.',
  },
  'reference-used': {
    meaning: 'An earlier check under the consent had the same reference.',
    remedy: 'The TPP gives each check another reference.',
  },
  'consent-of-another-kind': {
    meaning:
      'The token is of a consent of another kind: account information needs one, confirmation of funds the other.',
    remedy: 'The TPP uses the token of a consent of the kind that the endpoint needs.',
  },
  'scope-missing': { meaning: 'The token lacks the scope that the endpoint needs.', remedy: tokenRemedy },
  'permission-missing': {
    meaning: 'The consent lacks a permission that the endpoint needs.',
    remedy: 'The TPP creates a consent that asks for the permission.',
  },
  'account-not-selected': {
    meaning: 'The customer did not select the account for the consent.',
    remedy: 'The TPP reads the accounts that GET /accounts lists.',
  },
  'consent-unknown': {
    meaning: 'There is no consent with the id, it was deleted, or it was not begun in time.',
    remedy: 'The TPP creates a consent.',
  },
  'consent-of-another-tpp': {
    meaning: 'Another TPP created the consent.',
    remedy: 'The TPP uses the ConsentId of a consent that the same client created.',
  },
  'consent-version': {
    meaning: 'The consent was created in a later version of the API than the one of the request.',
    remedy: 'The TPP uses the consent in the version that created it, or in a later one.',
  },
  'consent-status': {
    meaning: 'The status of the consent did not allow the change.',
    remedy: 'Read the consent and its timeline.',
  },
  'window-closed': {
    meaning: 'The customer’s last authentication was longer ago than the authentication window.',
    remedy: 'The customer authenticates again for the same consent.',
  },
  'history-start-missing': {
    meaning: 'The authentication window was closed, and the request named no start of the history.',
    remedy: 'The TPP names a recent fromBookingDateTime, or the customer authenticates again.',
  },
  'history-older-than-90-days': {
    meaning: 'The authentication window was closed, and the history began earlier than the exempt days of the profile.',
    remedy: 'The TPP names a later fromBookingDateTime, or the customer authenticates again.',
  },
  'core-account-not-found': {
    meaning: 'The core does not know the account.',
    remedy: 'Ask the core’s operators whether the account was closed or moved.',
  },
  'core-account-not-permitted': {
    meaning: 'The core’s state of the account does not permit access.',
    remedy: 'Ask the core’s operators why the account is blocked.',
  },
  'core-unavailable': {
    meaning: 'The core did not answer, or was not asked because it had failed a moment before.',
    remedy: 'Check the core and the network to it; the log record with the same error id has the cause in `detail`.',
  },
  'core-timeout': {
    meaning: 'The core did not answer within its deadline.',
    remedy: 'Check the core’s duration; CORE_DEADLINE_MS is the deadline.',
  },
  'core-rate-limited': {
    meaning: 'The core refused further reads for a time.',
    remedy: 'Compare the load with the core’s limit.',
  },
  'core-bad-record': {
    meaning: 'The core answered, but its answer has an unexpected status or form, or no record that can be read.',
    remedy: 'The log record with the same error id says in `detail` which: fix the core, or its settings.',
  },
  'core-stale': {
    meaning: 'The delivered data of the core are older than the bank allows to be shown.',
    remedy: 'Load the next delivery: feed load.',
  },
  'database-unreachable': {
    meaning: 'The database did not answer.',
    remedy: 'Check PostgreSQL and the network to it; the log record with the same interaction id has its error code.',
  },
  'issuer-unreachable': {
    meaning: 'The issuer of the token did not answer, so that the token could not be verified.',
    remedy: 'Check the issuer and the network to it; the log record with the same interaction id has its error code.',
  },
  'directory-unreachable': {
    meaning: 'The directory of TPPs did not answer, so that a software statement could not be verified.',
    remedy:
      'Check the directory and the network to it; the log record with the same interaction id has its error code.',
  },
  'withdrawal-unwritten': {
    meaning: 'The withdrawal took effect, but the trail could not be written.',
    remedy: 'Check the disk of TRAIL_DIR; the gateway tries again to write the event of the withdrawal.',
  },
  'trail-unavailable': {
    meaning: 'The trail could not be written, and with TRAIL_FAULT=refuse the gateway then answers no request.',
    remedy: 'Check the disk of TRAIL_DIR.',
  },
  fault: { meaning: 'A fault of the gateway.', remedy: 'Report the log record with the same interaction id.' },
  'client-gone': {
    meaning: 'The caller closed the connection before the answer.',
    remedy: 'Compare the caller’s time limit with the duration of the answer.',
  },
  'requests-at-once': {
    meaning:
      'The caller sent a third request on a connection before the first was answered. The third was refused, and the connection closed.',
    remedy: 'The caller waits for each answer before the next request, or opens more connections.',
  },
  'tls-refused': {
    meaning: 'TLS refused the connection before any request.',
    remedy: '`facts.tls` names the cause: compare the caller’s certificate, its authority and its TLS versions.',
  },
};

export type Reason = RefusalReason | WithdrawalReason | keyof typeof ofChanges;

/** Every reason of the trail: a closed list. */
export const reasons: Readonly<Record<Reason, ReasonText>> = {
  ...ofForm,
  ...refusals,
  ...ofOAuth,
  ...ofChanges,
  ...ofWithdrawals,
};
