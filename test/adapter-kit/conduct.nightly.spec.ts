import { describe } from '@jest/globals';
import { eachBreaksItsOwnClause } from './broken.js';
import { flawsOfConduct } from './flaws-of-conduct.js';

describe('the adapter kit on the conduct of an adapter', () => eachBreaksItsOwnClause(flawsOfConduct));
