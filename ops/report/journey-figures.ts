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
