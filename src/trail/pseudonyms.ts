import { createHmac, hash } from 'node:crypto';

export type PseudonymKind = 'customer' | 'account';

/** The name of a pseudonym key, with which each of its pseudonyms begins. It reveals nothing of the key. */
export function pseudonymKeyId(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 4);
}

/** @param ref the core's reference of the customer */
export function pseudonymOfCustomer(key: string, ref: string): string {
  return pseudonymOf(key, 'customer', [ref]);
}

/** @param core the name that is kept with the account; absent for the first core @param ref the core's reference */
export function pseudonymOfAccount(key: string, core: string | undefined, ref: string): string {
  return pseudonymOf(key, 'account', [core ?? '', ref]);
}

/** `<key id>.<22 characters>`: the same for the same subject and key, and without the key no way back to the subject. */
function pseudonymOf(key: string, kind: PseudonymKind, names: readonly string[]): string {
  const digest = createHmac('sha256', key)
    .update([kind, ...names].join('\0'))
    .digest();
  return `${pseudonymKeyId(key)}.${digest.subarray(0, 16).toString('base64url')}`;
}

/** The pseudonyms under the present key. */
export class Pseudonyms {
  constructor(private readonly key: string) {}

  ofCustomer(ref: string): string {
    return pseudonymOfCustomer(this.key, ref);
  }

  ofAccount({ core, ref }: { readonly core?: string | undefined; readonly ref: string }): string {
    return pseudonymOfAccount(this.key, core, ref);
  }
}
