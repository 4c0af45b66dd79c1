import { describe } from '@jest/globals';
import { eachBreaksItsOwnClause } from './broken.js';
import { flawsOfConduct } from './flaws-of-conduct.js';

describe('of how an adapter behaves', () => eachBreaksItsOwnClause(flawsOfConduct));
