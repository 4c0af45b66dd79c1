import { describeCoreAdapter } from '../../../packages/adapter-kit/adapter-kit.js';
import { kit } from './feed.kit.js';

await describeCoreAdapter('feed', kit);
