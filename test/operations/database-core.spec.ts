import { describeCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import { kit } from '../cores/database/database.kit.js';

describeCoreAdapter('database', kit);
