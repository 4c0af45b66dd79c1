import type { StackOptions } from './stack.js';
import { openPgliteDatabase } from '../../src/persistence/pglite-database.js';
import { PersistenceModule } from '../../src/persistence/persistence.module.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { freshPglite } from './fresh-database.js';

/** A database that a test can end while a gateway uses it. */
export interface DyingDatabase {
  readonly options: Pick<StackOptions, 'persistence'>;
  /** Every statement fails from then on. */
  die(): Promise<void>;
  drop(): Promise<void>;
}

export async function dyingDatabase(): Promise<DyingDatabase> {
  const { config, drop } = await freshPglite();
  const database = await openPgliteDatabase(config);
  let death: Promise<void> | undefined;
  const die = (): Promise<void> => (death ??= database.close());
  return {
    options: {
      persistence: () =>
        PersistenceModule.register(() => Promise.resolve(new PrismaService({ ...database, close: die }))),
    },
    die,
    drop,
  };
}
