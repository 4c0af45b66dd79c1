import type { SignInConfig } from '../../config/config.js';
import type { Limit } from '../../quotas/limit-counts.store.js';

/** For one login name, or one browser: the first starts at once, each further one after twice as long. */
export function limitOfStarts({ starts, windowMs, freeStarts, delayMs }: SignInConfig): Required<Limit> {
  const delaysMs = Array.from({ length: starts }, (_, taken) =>
    taken < freeStarts ? 0 : Math.min(delayMs * 2 ** (taken - freeStarts), windowMs),
  );
  return { most: starts, windowMs, delaysMs };
}

/** For one source address: many people may stand behind it. */
export function limitOfAddress({ addressStarts, windowMs }: SignInConfig): Limit {
  return { most: addressStarts, windowMs };
}

/** A /48 has 65,536 source addresses (/64), of one person or of as many. */
const addressesPerSite = 8;

/** For one /48 of IPv6. */
export function limitOfSite(config: SignInConfig): Limit {
  const limit = limitOfAddress(config);
  return { ...limit, most: limit.most * addressesPerSite };
}
