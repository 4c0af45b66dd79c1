// Nightly: the kit takes minutes; each change runs it for the ledger.
import { describeCoreAdapter } from '../../../packages/adapter-kit/adapter-kit.js';
import { kit } from './feed.kit.js';

await describeCoreAdapter('feed', kit);
