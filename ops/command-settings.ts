import type { CoreSettings } from '../packages/core-adapter/core-settings.js';
import type { Clock } from '../src/clock/clock.js';
import type { ActionOutput } from '../src/command-line/command-line.js';
import type { BankAddress, BankOrigin } from '../src/config/bank-address.js';
import type { MigrationMode } from '../src/config/database-config.js';
import type { DataKeys, DataKeySetting } from '../src/config/data-keys.js';
import type { TrailRetention } from '../src/config/retention-days.js';
import type { PrismaService } from '../src/persistence/prisma.service.js';
import type { CarriedOut } from './command-trail.js';

/** The settings of the commands. A command reads only those that it needs. */
export interface CommandSettings {
  readonly gateway: () => BankAddress;
  /** The same gateway, for the act of an operator. */
  readonly operator: () => BankAddress;
  /** The same gateway, for an act that BANK_CREDENTIAL may not do. */
  readonly operatorOnly: () => BankAddress;
  /** The same gateway, for a question that needs no credential. */
  readonly origin: () => BankOrigin;
  /** The folder of a trail that is used where none is named. */
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

/** A command works with these, and with the words that the person gives to it. */
export interface CommandContext extends CommandSettings, ActionOutput {}
