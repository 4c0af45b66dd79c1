import type { Mutant } from './mutant.js';
import { mutantsOfReadsAtOnce } from './at-once.js';
import { mutantsOfAwkwardRecords } from './awkward.js';
import { mutantsOfCodes } from './codes.js';
import { mutantsOfConduct } from './conduct.js';
import { mutantsOfFunds } from './funds.js';
import { mutantsOfGeneratedWorlds } from './generated.js';
import { mutantsOfMoney } from './money.js';
import { mutantsOfPages } from './pages.js';
import { mutantsOfPeople } from './people.js';
import { mutantsOfTime } from './time.js';

/** Mistakes that adapters made and that earlier versions of the kit did not find. */
export const mutants: readonly Mutant[] = [
  ...mutantsOfMoney,
  ...mutantsOfPages,
  ...mutantsOfPeople,
  ...mutantsOfTime,
  ...mutantsOfConduct,
  ...mutantsOfReadsAtOnce,
  ...mutantsOfGeneratedWorlds,
  ...mutantsOfAwkwardRecords,
  ...mutantsOfCodes,
  ...mutantsOfFunds,
];
