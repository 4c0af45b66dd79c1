import { longestOneOffDays } from './consent-history.js';
import { counted, type FigureOfTable } from './figure.js';

/** Journeys in which the customer signed in: they ended by a decision, or on a page after the sign-in. */
const signedIn = `("step" IN ('approved', 'refused') OR ("step" = 'abandoned' AND stage IN ('customer-choice', 'accounts')))`;
const failedSignIns = `"step" IN ('sign-in-failed', 'sign-in-blocked')`;

export const ofJourneys: readonly FigureOfTable[] = [
  counted(
    'journeys-begun',
    'The times that a customer came to the pages of the authorization.',
    'journeys',
    `"step" = 'begun'`,
  ),
  counted('journeys-approved', 'The journeys in which the customer approved.', 'journeys', `"step" = 'approved'`),
  counted(
    'journeys-refused',
    'The journeys in which the customer, or the bank, refused.',
    'journeys',
    `"step" = 'refused'`,
  ),
  counted(
    'journeys-abandoned',
    'The journeys that the customer left without a decision.',
    'journeys',
    `"step" = 'abandoned'`,
  ),
  counted('failed-sign-ins', 'The attempts at signing in that failed or were blocked.', 'journeys', failedSignIns),
  counted(
    'sign-ins',
    'The journeys in which the customer signed in: those with a decision, and those that the customer left on a page after the sign-in.',
    'journeys',
    signedIn,
  ),
  counted(
    'attempted-sign-ins',
    'The sign-ins, and the attempts that failed or were blocked.',
    'journeys',
    `${signedIn} OR ${failedSignIns}`,
  ),
];

const ofAll: readonly FigureOfTable[] = [
  counted('consents-begun', 'The consents that TPPs created.', 'consents', `"event" = 'created'`),
  counted('consents-approved', 'The consents that customers approved.', 'consents', `"event" = 'authorised'`),
  counted(
    'consents-renewed',
    'The authentications with which customers kept an approved consent.',
    'consents',
    `"event" = 'reauthenticated'`,
  ),
  counted('consents-refused', 'The consents that customers refused.', 'consents', `"event" = 'rejected'`),
  ...(['tpp', 'customer', 'bank', 'operator', 'gateway'] as const).map((actor) =>
    counted(
      `consents-withdrawn-by-${actor}`,
      `The consents that ${actor === 'tpp' ? 'the TPP' : `the ${actor}`} revoked or deleted; a measure against a TPP ends each of its consents that gives access.`,
      'consents',
      `"event" IN ('revoked', 'deleted') AND actor = '${actor}'`,
    ),
  ),
  counted(
    'consents-abandoned',
    'The consents whose authorisation a customer began and did not complete in time.',
    'consents',
    `"event" = 'abandoned' AND "reason" = 'not-completed'`,
  ),
  counted(
    'consents-never-begun',
    'The consents that no customer began to authorise in time.',
    'consents',
    `"event" = 'abandoned' AND "reason" = 'not-authorised-in-time'`,
  ),
  counted(
    'consents-expired',
    'The consents that gave access until their term, which their events state; the events behind it are those that last gave the access.',
    'consents',
    `"event" = 'expired'`,
  ),
];

const longLived = (name: string, rule: string, rows: string) =>
  counted(`long-lived-consents-${name}`, rule, 'consents', `NOT one_off AND ${rows}`);
const needsAuthentication = `NOT one_off AND "event" = 'authentication-needed'`;

/** The standard body's management information has these two kinds of consents. */
const ofKinds: readonly FigureOfTable[] = [
  counted(
    'one-off-consents',
    `The consents that customers approved and that TPPs created for at most ${longestOneOffDays} days; all others are long-lived.`,
    'consents',
    `one_off AND "event" = 'authorised'`,
  ),
  longLived('approved', 'The long-lived consents that customers approved.', `"event" = 'authorised'`),
  longLived(
    'renewed',
    'The authentications with which customers gave the access of a long-lived consent again after it had been withdrawn.',
    `"event" = 'reauthenticated' AND gave IS false`,
  ),
  longLived(
    'refreshed',
    'The authentications with which customers kept a long-lived consent that gave access.',
    `"event" = 'reauthenticated' AND gave IS NOT false`,
  ),
  longLived(
    'withdrawn',
    'The long-lived consents that gave access until they were withdrawn.',
    `gave AND gives IS false AND "event" <> 'expired'`,
  ),
  longLived('expired', 'The long-lived consents that gave access until their term.', `"event" = 'expired'`),
  {
    name: 'long-lived-consents-requiring-authentication',
    rule: 'The long-lived consents under which a read was refused because the customer’s last authentication was too long ago.',
    unit: 'consents',
    sql: `count(DISTINCT "consent") FILTER (${needsAuthentication})::DOUBLE`,
    rows: needsAuthentication,
  },
];

export const ofConsents: readonly FigureOfTable[] = [...ofAll, ...ofKinds];
