/** Each role may do all that the roles before it may. */
export const roles = ['read', 'withdraw', 'operate', 'admin'] as const;
export type Role = (typeof roles)[number];

export function mayActAs(needed: Role, held: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(needed);
}
