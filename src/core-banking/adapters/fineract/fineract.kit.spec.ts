import { describeCoreAdapter } from '../../../adapter-kit/adapter-kit.js';
import { fineractKit } from './fineract.kit.js';

describeCoreAdapter('fineract', fineractKit);
