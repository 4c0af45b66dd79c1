import { mutantsOfConduct } from './conduct.js';
import { mutantsOfFactors } from './factors.js';
import type { SignOnMutant } from './mutant.js';
import { mutantsOfResults } from './results.js';

/** Mistakes of adapters of a sign-on. */
export const signOnMutants: readonly SignOnMutant[] = [...mutantsOfFactors, ...mutantsOfResults, ...mutantsOfConduct];
