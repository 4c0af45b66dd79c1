import { describe } from '@jest/globals';
import { eachBreaksItsOwnClause } from './broken.js';
import { flawsOfRecords } from './flaws-of-records.js';

describe('of what an adapter says', () => eachBreaksItsOwnClause(flawsOfRecords));
