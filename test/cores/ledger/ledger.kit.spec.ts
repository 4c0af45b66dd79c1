import { describeCoreAdapter } from '../../../packages/adapter-kit/adapter-kit.js';
import { kit } from './ledger.kit.js';

await describeCoreAdapter('ledger', kit);
