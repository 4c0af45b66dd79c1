import { describeCoreAdapter } from '../../../packages/adapter-kit/adapter-kit.js';
import { kit } from './fineract.kit.js';

await describeCoreAdapter('fineract', kit);
