import { BootError } from '../src/config/boot-error.js';
import { faultCode } from '../src/observability/fault-record.js';
import type { PrismaService } from '../src/persistence/prisma.service.js';
import { CommandFailed } from '../src/command-line/command.js';
import type { CommandSettings } from './command-settings.js';

/** Opens the database, which must have its migrations, for work of which every statement may be repeated. */
export async function workOnDatabase<T>(
  openDatabase: CommandSettings['openDatabase'],
  work: (prisma: PrismaService) => Promise<T>,
): Promise<T> {
  const prisma = await openDatabase('none');
  try {
    return await work(prisma);
  } catch (error) {
    if (error instanceof BootError || error instanceof CommandFailed) throw error;
    throw new CommandFailed(
      `the database failed (${faultCode(error)}): fix the database and run this again; it continues where it stopped`,
    );
  } finally {
    await prisma.onApplicationShutdown();
  }
}
