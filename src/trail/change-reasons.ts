import type { ReasonText } from './reason-text.js';

const noRemedyNeeded = 'Nothing: it is the customer’s decision.';

/** The reasons of authorisations, and of changes of consents and TPPs. */
export const ofChanges = {
  'sign-in-wrong': { meaning: 'The bank’s sign-on did not know the customer.', remedy: 'The customer tries again.' },
  'sign-in-expired': { meaning: 'A step of the sign-in expired.', remedy: 'The customer begins again.' },
  'sign-in-declined': { meaning: 'The customer declined in the bank’s app.', remedy: noRemedyNeeded },
  'customer-locked': {
    meaning: 'The bank’s sign-on has locked the customer.',
    remedy: 'The customer is unlocked at the bank.',
  },
  'password-change-needed': {
    meaning: 'The bank demands another password first.',
    remedy: 'The customer changes the password at the bank.',
  },
  'sign-on-unreachable': { meaning: 'The bank’s sign-on did not answer.', remedy: 'Check the sign-on.' },
  'too-many-sign-ins': {
    meaning: 'Too many sign-ins were begun under the login name or from the source.',
    remedy: 'Wait, or unlock the login name: POST /bank/v1/sign-ins/unlock.',
  },
  'another-customer': {
    meaning: 'The customer who signed in is not the one who gave the access.',
    remedy: 'The customer of the consent signs in.',
  },
  'customer-refused': { meaning: 'The customer refused.', remedy: noRemedyNeeded },
  'customer-left': { meaning: 'The customer went back to the TPP without a decision.', remedy: noRemedyNeeded },
  'customer-never-returned': {
    meaning: 'The customer stopped on a page and never came back to it.',
    remedy: 'The TPP sends the customer again; many at one stage show a page or a step that fails.',
  },
  'took-too-long': { meaning: 'The customer did not decide in time.', remedy: 'The TPP sends the customer again.' },
  'not-authorised-in-time': {
    meaning: 'No customer began to authorise the consent within the hours that the profile gives.',
    remedy: 'The TPP creates a consent.',
  },
  'not-completed': {
    meaning:
      'The customer began to authorise the consent, and did not complete it within the minutes that the profile gives.',
    remedy: 'The TPP creates a consent; many at one stage of the journeys show a page or a step that fails.',
  },
  'statement-withdrawn': {
    meaning: 'The directory no longer confirms the TPP’s software.',
    remedy: 'The TPP registers again once the directory confirms it.',
  },
} as const satisfies Readonly<Record<string, ReasonText>>;
