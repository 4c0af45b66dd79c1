import { SystemClock } from '../clock/clock.js';
import { readBankAddress, readOperatorAddress } from '../config/bank-address.js';
import { readCoreSettings } from '../config/command-core.js';
import { readDataKeys } from '../config/data-keys.js';
import { readDatabaseSettings } from '../config/database-settings.js';
import { readRetentionDays, readTrailRetention } from '../config/retention-days.js';
import { readNeededTrailKey, readPseudonymKey, readTrailFolder, readTrailKey } from '../config/trail-command.js';
import { endWithReader } from './gone-reader.js';
import { run } from './run.js';

endWithReader();
const clock = new SystemClock();
process.exitCode = await run(
  process.argv.slice(2),
  {
    gateway: readBankAddress,
    operator: readOperatorAddress,
    trailFolder: readTrailFolder,
    trailKey: readNeededTrailKey,
    dataKeys: readDataKeys,
    core: readCoreSettings,
    // Loaded only where it is needed: the database's client is large.
    openDatabase: async (migrations) =>
      (await import('../persistence/prisma.service.js')).PrismaService.open({
        ...readDatabaseSettings(),
        ...(migrations && { migrations }),
      }),
    retentionDays: readRetentionDays,
    trailRetention: readTrailRetention,
    record: async (carriedOut) =>
      (await import('./command-trail.js')).recordCommand(carriedOut, {
        directory: readTrailFolder(),
        clock,
        key: readTrailKey(),
        pseudonymKey: readPseudonymKey(),
      }),
    clock,
  },
  (text) => console.log(text),
  (line) => console.error(`gateway: ${line}`),
);
