import assert from 'node:assert/strict';
import type { ClauseId } from '../clauses.js';
import type { World } from '../world.js';
import * as accounts from './accounts.js';
import * as amounts from './amounts.js';
import * as atOnce from './at-once.js';
import * as badRecords from './bad-records.js';
import * as balances from './balances.js';
import * as changes from './changes.js';
import * as codes from './codes.js';
import * as conduct from './conduct.js';
import * as connections from './connections.js';
import * as declarations from './declarations.js';
import * as deliveries from './deliveries.js';
import * as faults from './faults.js';
import * as funds from './funds.js';
import * as generated from './generated.js';
import * as history from './history.js';
import * as logins from './logins.js';
import * as memory from './memory.js';
import * as records from './records.js';
import * as times from './times.js';
import * as unknownWords from './unknown-words.js';
import * as wrongTypes from './wrong-types.js';

/** Resolves where the clause is kept; rejects with the fault that breaks it. */
export type Check = (world: World) => Promise<void>;

/** Checks one clause. */
export async function checkClause(clause: ClauseId, world: World): Promise<void> {
  const reason = world.unproved[clause];
  assert.ok(reason === undefined, reason);
  await checks[clause](world);
}

const checks: Readonly<Record<ClauseId, Check>> = {
  'CORE-01': declarations.badSettingsAreRefused,
  'CORE-02': declarations.declarationsAgree,
  'CORE-03': accounts.listsAreComplete,
  'CORE-04': accounts.listsAreStable,
  'CORE-05': accounts.accountIsThatOfTheList,
  'CORE-06': accounts.unknownAccountsAreNotFound,
  'CORE-07': accounts.unknownCustomersHaveNone,
  'CORE-08': accounts.customersAreApart,
  'CORE-09': accounts.statesAreTrue,
  'CORE-10': records.readIsTrue('balances'),
  'CORE-11': records.readIsTrue('transactions'),
  'CORE-12': records.readIsTrue('party'),
  'CORE-13': records.readIsTrue('offers'),
  'CORE-14': records.readIsTrue('scheduledPayments'),
  'CORE-15': records.readIsTrue('beneficiaries'),
  'CORE-16': records.readIsTrue('statements'),
  'CORE-17': records.readIsTrue('directDebits'),
  'CORE-18': records.readIsTrue('standingOrders'),
  'CORE-19': records.readIsTrue('product'),
  'CORE-20': records.emptyIsEmpty,
  'CORE-21': amounts.amountsAreTrue,
  'CORE-22': amounts.otherDecimalsAreTrue,
  'CORE-23': amounts.signsAreTrue,
  'CORE-24': times.timesAreTrue('day'),
  'CORE-25': times.timesAreTrue('leap-day'),
  'CORE-26': times.timesAreTrue('clock-change'),
  'CORE-27': times.timesAreTrue('instant'),
  'CORE-28': times.zonesDoNotMatter,
  'CORE-29': history.windowsHold,
  'CORE-30': history.filtersHold,
  'CORE-32': history.pagesGiveTheHistory,
  'CORE-33': history.bookingsMoveNoPage,
  'CORE-34': times.pendingIsMade,
  'CORE-35': history.idsAreKept,
  'CORE-36': badRecords.undatableIsBad,
  'CORE-37': badRecords.oneBadAmongGood,
  'CORE-38': badRecords.allBadIsNoList,
  'CORE-39': records.domesticOnly,
  'CORE-40': records.latestStatementOnly,
  'CORE-41': accounts.cardsShowTheirEnd,
  'CORE-43': records.scriptsAreTrue,
  'CORE-44': faults.refusedIsUnavailable,
  'CORE-45': faults.slowIsTimeout,
  'CORE-46': faults.resetIsUnavailable,
  'CORE-47': faults.truncatedIsBad,
  'CORE-48': faults.htmlIsBad,
  'CORE-49': faults.tooManyIsRateLimited,
  'CORE-50': wrongTypes.wrongTypesAreBad,
  'CORE-51': faults.faultsKeepSilent,
  'CORE-52': connections.signalsAreHonoured,
  'CORE-53': connections.readsAtOnceAgree,
  'CORE-54': connections.healthIsTrue,
  'CORE-55': connections.closingLeavesNothing,
  'CORE-56': accounts.holdersAreApart,
  'CORE-57': amounts.plannedAmountsAreTrue,
  'CORE-59': changes.changesAreRead,
  'CORE-60': conduct.interactionIdArrives,
  'CORE-61': conduct.connectionsAreFew,
  'CORE-62': conduct.faultyCoreIsSpared,
  'CORE-63': conduct.outputIsSilent,
  'CORE-64': generated.generatedCasesAreTrue,
  'CORE-65': conduct.logIsSilent,
  'CORE-66': atOnce.readersAreApart,
  'CORE-67': faults.errorsAreNoAnswers,
  'CORE-68': amounts.everyAmountIsTrue,
  'CORE-70': deliveries.newDeliveryIsRead,
  'CORE-71': deliveries.changesNothing('broken'),
  'CORE-72': deliveries.changesNothing('partial'),
  'CORE-73': deliveries.changesNothing('older', 'repeated'),
  'CORE-74': deliveries.changesNothing('cut-off'),
  'CORE-75': deliveries.oldDataAreStale,
  'CORE-76': deliveries.balancesAreNotYounger,
  'CORE-77': logins.endedLoginsAreRenewed,
  'CORE-78': unknownWords.unknownWordsAreBad,
  'CORE-79': balances.debtsAreNegative,
  'CORE-80': balances.zerosAreGiven,
  'CORE-81': accounts.longListsAreComplete,
  'CORE-82': faults.errorsUnderSuccessAreErrors,
  'CORE-83': memory.answersAreForgotten,
  'CORE-84': codes.codesHaveTheirForms,
  'CORE-85': funds.numbersFindTheirAccount,
  'CORE-86': funds.otherNumbersFindNone,
  'CORE-87': funds.fundsEndAtTheirEdge,
  'CORE-88': funds.overdraftsCountWhereAsked,
  'CORE-89': funds.blockedHasNoFunds,
  'CORE-90': funds.otherCurrenciesHaveNoFunds,
};
