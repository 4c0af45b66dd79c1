import { commandSettings } from './bank-address.js';
import { Environment } from './environment.dto.js';
import { secretSettings } from './secrets.js';

/** Every name that the gateway or its commands read. */
export const settingNames: ReadonlySet<string> = new Set([
  ...Object.keys(new Environment()),
  ...commandSettings,
  ...secretSettings,
  'RETENTION_DAYS',
  'TRAIL_RETENTION_DAYS',
  ...secretSettings.map((name) => `${name}_FILE`),
]);
