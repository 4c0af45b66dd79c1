import type { Prisma } from '../../prisma/client/client.js';
import { BootError } from '../config/boot-error.js';
import type { DataKeys, DataKeySetting } from '../config/data-keys.js';
import type { PrismaService } from '../persistence/prisma.service.js';
import { forgottenKeys, keyFaults, newKeys } from './known-keys.js';

/** The key of the advisory lock under which one process at a time adds keys: of two first starts with different keys, one is refused. */
const keysLock = 7_269_702;

/**
 * Sees that the data belong to these keys, and remembers those that are new. Costs one query where none is.
 * @throws BootError where the data belong to other keys
 */
export async function refuseOtherKeys(prisma: PrismaService, keys: DataKeys, now: Date): Promise<void> {
  if ((await unknown(prisma, keys, now)).length === 0) return;
  await locked(prisma, async (transaction) => {
    await transaction.knownKey.createMany({ data: await unknown(transaction, keys, now) });
  });
}

/**
 * From now on gateways start with the keys of this setting, whichever keys the database knew before.
 * @returns how many keys the database has forgotten: gateways do not start with them any more, and do not ask for them
 */
export function acceptKeys(
  prisma: PrismaService,
  setting: DataKeySetting,
  given: readonly string[],
  now: Date,
): Promise<number> {
  const keys = { [setting]: given };
  return locked(prisma, async (transaction) => {
    const known = await transaction.knownKey.findMany();
    const forgotten = forgottenKeys(setting, keys, known).map(({ fingerprint }) => fingerprint);
    await transaction.knownKey.deleteMany({ where: { setting, fingerprint: { in: forgotten } } });
    await transaction.knownKey.createMany({ data: newKeys(keys, known, now) });
    return forgotten.length;
  });
}

async function unknown({ knownKey }: Pick<Prisma.TransactionClient, 'knownKey'>, keys: DataKeys, now: Date) {
  const known = await knownKey.findMany();
  const faults = keyFaults(keys, known);
  if (faults.length > 0) throw new BootError(faults.join(' '));
  return newKeys(keys, known, now);
}

function locked<T>(prisma: PrismaService, work: (transaction: Prisma.TransactionClient) => Promise<T>): Promise<T> {
  return prisma.$transaction(async (transaction) => {
    await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${keysLock})`;
    return work(transaction);
  });
}
