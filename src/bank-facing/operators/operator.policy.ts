import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Role } from '../../consents/cases/operator-roles.js';
import type { OperatorActor } from '../../consents/cases/withdrawal.js';

export interface Operator {
  /** Unique; of the form {@link operatorName}. */
  readonly name: string;
  readonly role: Role;
  readonly addedAt: Date;
  /** The actor who added the operator, as the trail names it. */
  readonly addedBy: string;
}

/** Small letters, digits, and `-`, `_` or `.` between them; at most 64. */
export const operatorName = '^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$';

export function actorOf({ name }: Pick<Operator, 'name'>): OperatorActor {
  return `operator:${name}`;
}

/** A random secret of 32 bytes, the credential that contains it, and the digest by which the secret is known again. */
export function makeCredential(name: string): { readonly credential: string; readonly digest: string } {
  const secret = randomBytes(32).toString('base64url');
  return { credential: `${name}.${secret}`, digest: digestOf(secret).toString('hex') };
}

/** The name and the secret in a credential; `undefined` for a text of another form. */
export function readCredential(credential: string): { readonly name: string; readonly secret: string } | undefined {
  const [, name, secret] = /^([a-z0-9._-]{1,64})\.([A-Za-z0-9_-]{43})$/.exec(credential) ?? [];
  return name === undefined || secret === undefined ? undefined : { name, secret };
}

/** In constant time. A fast hash is enough: a secret of 32 random bytes cannot be guessed. */
export function isSecretOf(digest: string, secret: string): boolean {
  const stored = Buffer.from(digest, 'hex');
  const given = digestOf(secret);
  return stored.length === given.length && timingSafeEqual(stored, given);
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
