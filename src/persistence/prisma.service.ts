import type { OnApplicationShutdown } from '@nestjs/common';
import type { DatabaseConfig } from '../config/database-config.js';
import type { Database } from './database.js';
import { PrismaClient } from '../../prisma/client/client.js';

/** The gateway's database: PostgreSQL when it is configured, else PGlite embedded in this process. */
export class PrismaService extends PrismaClient implements OnApplicationShutdown {
  constructor(readonly database: Database) {
    // `minimal`: an error's message must not quote source code or values.
    super({ adapter: database.adapter, errorFormat: 'minimal' });
  }

  /**
   * Opens the database, and migrates it as `migrations` says.
   * @throws BootError when the gateway cannot work on it.
   */
  static async open({ url, ...config }: DatabaseConfig): Promise<PrismaService> {
    // Loaded only when used: PGlite and its compiled PostgreSQL take 250 MB.
    if (url === undefined) {
      const { openPgliteDatabase } = await import('./pglite-database.js');
      return new PrismaService(await openPgliteDatabase(config));
    }
    const { openPostgresDatabase } = await import('./postgres-database.js');
    return new PrismaService(await openPostgresDatabase({ ...config, url }));
  }

  /** In the last phase of a stop: the phases before it still write. */
  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
    await this.database.close();
  }
}
