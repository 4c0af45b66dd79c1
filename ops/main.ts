import { endWithReader } from '../src/command-line/gone-reader.js';
import { SystemClock } from '../src/clock/clock.js';
import { readBankAddress, readBankOrigin, readOperatorAddress, readOperatorOnly } from '../src/config/bank-address.js';
import { readCoreSettings } from '../src/config/command-core.js';
import { readDataKeys } from '../src/config/data-keys.js';
import { readDatabaseSettings } from '../src/config/database-settings.js';
import { readRetentionDays, readTrailRetention } from '../src/config/retention-days.js';
import { readNeededTrailKey, readPseudonymKey, readTrailFolder, readTrailKey } from '../src/config/trail-command.js';
import { run } from './run.js';

endWithReader();
const clock = new SystemClock();
process.exitCode = await run(
  process.argv.slice(2),
  {
    gateway: readBankAddress,
    operator: readOperatorAddress,
    operatorOnly: readOperatorOnly,
    origin: readBankOrigin,
    trailFolder: readTrailFolder,
    trailKey: readNeededTrailKey,
    dataKeys: readDataKeys,
    core: readCoreSettings,
    // Loaded only where it is needed: the database's client is large.
    openDatabase: async (migrations) =>
      (await import('../src/persistence/prisma.service.js')).PrismaService.open({
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
  (line) => console.error(`ops: ${line}`),
);
