// Nightly: the kit takes minutes; each change runs it for the ledger.
import { join } from 'node:path';
import { describeCoreAdapter } from '../../../packages/adapter-kit/adapter-kit.js';
import { kit, kitOfMapping } from './feed.kit.js';

const everyField = kitOfMapping(join(import.meta.dirname, 'every-field.yaml'));

await describeCoreAdapter('feed', kit);
// The examples next to the other file show how they find a wrong mapping.
await describeCoreAdapter('feed, with every field', { ...everyField, unproved: () => Promise.resolve({}) });
