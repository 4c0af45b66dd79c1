import type { AccessRequest } from '../customer-pages.js';

interface TppGroup<Access> {
  readonly tpp: AccessRequest['tpp'];
  readonly accesses: readonly Access[];
}

/** One group for each TPP, in the order of its first access; the accesses of a group keep their order. */
export function groupedByTpp<Access extends { readonly request: AccessRequest }>(
  accesses: readonly Access[],
): TppGroup<Access>[] {
  const groups = new Map<string, TppGroup<Access>>();
  for (const access of accesses) {
    const { tpp } = access.request;
    groups.set(tpp.id, { tpp, accesses: [...(groups.get(tpp.id)?.accesses ?? []), access] });
  }
  return [...groups.values()];
}
