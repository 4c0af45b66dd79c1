import { describeCoreAdapter } from '../../../adapter-kit/adapter-kit.js';
import { ledgerKit } from './ledger.kit.js';

describeCoreAdapter('ledger', ledgerKit);
