import type { SignOnClauseId } from './clauses.js';
import * as conduct from './checks/conduct.js';
import * as factors from './checks/factors.js';
import * as faults from './checks/faults.js';
import * as results from './checks/results.js';
import { settingsAreChecked } from './checks/settings.js';
import type { SignOnWorld } from './sign-on-world.js';

export const signOnChecks: Readonly<Record<SignOnClauseId, (world: SignOnWorld) => Promise<void>>> = {
  'SIGN-01': settingsAreChecked,
  'SIGN-02': results.customerIsTrue,
  'SIGN-03': factors.wrongFactorsLookAlike,
  'SIGN-04': factors.wrongCodeIsCorrected,
  'SIGN-05': factors.anotherCodeReplaces,
  'SIGN-06': factors.refusalIsDeclined,
  'SIGN-07': factors.lockIsShownLast,
  'SIGN-08': results.inputIsUsedUp,
  'SIGN-09': results.inputAnswersItsStep,
  'SIGN-10': faults.faultsAreUnavailable,
  'SIGN-11': faults.faultsAreSilent,
  'SIGN-12': results.authenticationsDoNotMix,
  'SIGN-13': faults.signalEndsCalls,
  'SIGN-14': factors.timeEnds,
  'SIGN-15': conduct.outputIsSilent,
  'SIGN-16': results.weakStaysWeak,
  'SIGN-17': results.foreignReturnIsRefused,
  'SIGN-18': conduct.closingLeavesNothing,
  'SIGN-19': conduct.appShowsWhoAsks,
  'SIGN-20': conduct.callHasBrowser,
};
