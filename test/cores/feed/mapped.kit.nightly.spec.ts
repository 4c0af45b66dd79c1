// Nightly: the kit takes minutes; each change runs it for the ledger.
import { join } from 'node:path';
import { describeCoreAdapter } from '../../../packages/adapter-kit/adapter-kit.js';
import { kitOfMapping } from './feed.kit.js';

await describeCoreAdapter('feed, with a bank’s mapping', kitOfMapping(join(import.meta.dirname, 'bank.yaml')));
