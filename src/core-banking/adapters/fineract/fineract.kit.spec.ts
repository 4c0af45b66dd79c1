import { describeCoreAdapter } from '../../../adapter-kit/adapter-kit.js';
import { kit } from './fineract.kit.js';

describeCoreAdapter('fineract', kit);
