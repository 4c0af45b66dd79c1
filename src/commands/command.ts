import type { CoreSettings } from '../../packages/core-adapter/core-settings.js';
import type { Clock } from '../clock/clock.js';
import type { BankAddress } from '../config/bank-address.js';
import type { MigrationMode } from '../config/database-config.js';
import type { DataKeys, DataKeySetting } from '../config/data-keys.js';
import type { TrailRetention } from '../config/retention-days.js';
import type { CarriedOut } from './command-trail.js';
import type { PrismaService } from '../persistence/prisma.service.js';

/** The settings of the commands. A command reads only those that it needs. */
export interface CommandSettings {
  readonly gateway: () => BankAddress;
  /** The same gateway, for the act of an operator. */
  readonly operator: () => BankAddress;
  /** The trail of a gateway with the same settings. */
  readonly trailFolder: () => string;
  /** TRAIL_KEY of the gateways. */
  readonly trailKey: () => string;
  /** The keys of one setting, to which data are to belong. */
  readonly dataKeys: (setting: DataKeySetting) => DataKeys[DataKeySetting];
  readonly core: () => { readonly name: string } & CoreSettings;
  /** Without a mode the settings decide about migrations. */
  readonly openDatabase: (migrations?: MigrationMode) => Promise<PrismaService>;
  readonly retentionDays: () => number;
  /** `undefined` where the trail is kept. */
  readonly trailRetention: () => TrailRetention | undefined;
  /** Records a command in the trail of this machine; rejects with the reason where it cannot. */
  readonly record: (carriedOut: CarriedOut) => Promise<void>;
  readonly clock: Clock;
}

/** A command could not be carried out. The message is one line for the person who gave it. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The output of a command: for a program, and for a person. */
export interface CommandOutput {
  readonly json: unknown;
  readonly text: string;
  /** A part of the work was not done, which the text reports: the command ends with exit code 1. */
  readonly failed?: boolean;
  /** The answer covers a part of the question alone, as the text reports: the command ends with exit code 3. */
  readonly incomplete?: boolean;
}
