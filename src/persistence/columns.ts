import { Prisma } from '../../prisma/client/client.js';

/**
 * The columns of a table, each under the name of its field in Prisma's schema: a statement in SQL then gives the same rows
 * as Prisma's model. The schema names each column like its field, with underscores.
 * @param fields Prisma's enumeration of the model's fields
 */
export function columnsOf(fields: Readonly<Record<string, string>>): Prisma.Sql {
  const named = (field: string) => `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS "${field}"`;
  return Prisma.raw(Object.values(fields).map(named).join(', '));
}
