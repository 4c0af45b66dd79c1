import type { Tpp } from './tpp.store.js';

/**
 * Whether the TPP may do anything at all now. It may not while an operator suspends it, while the directory no longer says
 * that it is a TPP, and after the end of the software statement by which it registered. It is asked at each use, because
 * a statement ends by the time alone.
 */
export function inGoodStanding({ status, software }: Tpp, nowMs: number): boolean {
  if (status !== 'active') return false;
  if (software === undefined) return true;
  const { withdrawnAt, expiresAt } = software;
  return withdrawnAt === undefined && (expiresAt === undefined || nowMs < expiresAt.getTime());
}
