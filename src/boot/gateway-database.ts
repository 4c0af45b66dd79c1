import type { Clock } from '../clock/clock.js';
import { BootError } from '../config/boot-error.js';
import type { GatewayConfig } from '../config/config.js';
import { dataKeysOf } from '../config/data-keys.js';
import { faultCode } from '../observability/fault-record.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { refuseOtherKeys } from '../security/known-keys.store.js';

/**
 * Opens the database of the settings, whose data must belong to the keys of the settings. Nothing was written to it with
 * other keys.
 * @throws BootError
 */
export async function openGatewayDatabase(
  config: Pick<GatewayConfig, 'database' | 'idKey' | 'trail'>,
  clock: Clock,
): Promise<PrismaService> {
  const prisma = await PrismaService.open(config.database);
  try {
    await refuseOtherKeys(prisma, dataKeysOf(config), new Date(clock.nowMs()));
    return prisma;
  } catch (error) {
    await prisma.onApplicationShutdown();
    throw error instanceof BootError ? error : unanswered(error);
  }
}

const insufficientPrivilege = '42501';

function unanswered(error: unknown): BootError {
  const code = faultCode(error);
  const remedy =
    code === insufficientPrivilege
      ? 'run deploy/postgresql/roles.sql as the owner of the schema (docs/operate/database.md, "Migrations and roles")'
      : 'repair the database, and start again';
  return new BootError(`The database did not answer which keys its data belong to (${code}): ${remedy}.`, {
    cause: error,
  });
}
