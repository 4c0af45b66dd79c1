import { wrongAboutAccounts } from './accounts.js';
import { wrongInConduct } from './conduct.js';
import { wrongAboutFunds } from './funds.js';
import { wrongAboutHistory, wrongInGeneratedWorlds } from './history.js';
import { wrongAboutRecords } from './records.js';
import type { WrongAdapter } from './wrong-adapter.js';

/** Mistakes of an adapter that asks its core. */
export const wrongAdapters: readonly WrongAdapter[] = [
  ...wrongAboutAccounts,
  ...wrongAboutRecords,
  ...wrongAboutHistory,
  ...wrongInGeneratedWorlds,
  ...wrongInConduct,
  ...wrongAboutFunds,
];
