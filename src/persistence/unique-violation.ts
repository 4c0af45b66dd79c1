import { Prisma } from '../../prisma/client/client.js';

/** Whether the database refused a row because a row with its key exists. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}
