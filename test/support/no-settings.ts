import { SystemClock } from '../../src/clock/clock.js';
import type { CommandSettings } from '../../ops/command-settings.js';

const never = (): never => {
  throw new Error('the test gives the command no such setting');
};

/** The settings of the operators' commands. A test replaces those that its command needs. */
export const noSettings: CommandSettings = {
  gateway: never,
  operator: never,
  operatorOnly: never,
  origin: never,
  trailFolder: never,
  trailKey: never,
  dataKeys: never,
  core: never,
  openDatabase: never,
  retentionDays: never,
  trailRetention: () => undefined,
  record: () => Promise.resolve(),
  clock: new SystemClock(),
};
