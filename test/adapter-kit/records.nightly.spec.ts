// Nightly: it tests the kit, a tool for banks, with some hundred broken adapters.
import { describe } from '@jest/globals';
import { eachBreaksItsOwnClause } from './broken.js';
import { flawsOfRecords } from './flaws-of-records.js';

describe('the adapter kit on the records of an adapter', () => eachBreaksItsOwnClause(flawsOfRecords));
