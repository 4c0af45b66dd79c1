// Nightly: it tests the kit, a tool for banks, with some hundred broken adapters.
import { describe } from '@jest/globals';
import { eachBreaksItsOwnClause } from './broken.js';
import { flawsOfFunds } from './flaws-of-funds.js';

describe('the adapter kit on the funds that an adapter confirms', () => eachBreaksItsOwnClause(flawsOfFunds));
