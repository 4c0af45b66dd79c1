import { describeCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import { kit } from '../cores/sql/sql.kit.js';

describeCoreAdapter('sql', kit);
