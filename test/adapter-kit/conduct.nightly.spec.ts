// Nightly: it tests the kit, a tool for banks, with some hundred broken adapters.
import { describe } from '@jest/globals';
import { eachBreaksItsOwnClause } from './broken.js';
import { flawsOfConduct } from './flaws-of-conduct.js';

describe('the adapter kit on the conduct of an adapter', () => eachBreaksItsOwnClause(flawsOfConduct));
