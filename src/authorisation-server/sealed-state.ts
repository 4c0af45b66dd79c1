import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { hashed, keyOf, open, seal } from './sealing.js';

/**
 * A state that the gateway keeps for the browser with a cookie. It is sealed under the cookie's value, and has the version of its
 * form, because a process of another release may have written it. The gateway does not read a state of another version, or one
 * that does not fit the schema: its row counts as expired.
 */
export class SealedState<Schema extends TSchema> {
  private readonly check;

  constructor(
    private readonly kind: string,
    /** Rises with every change of the schema. */
    private readonly version: number,
    schema: Schema,
  ) {
    this.check = Compile(schema);
  }

  /** The key of the row. The cookie's value cannot be computed from it. */
  keyOf(bearer: string): string {
    return hashed(this.kind, bearer);
  }

  seal(bearer: string, state: Static<Schema>): string {
    return seal(keyOf(this.kind, bearer), this.kind, JSON.stringify({ version: this.version, state }));
  }

  open(bearer: string, sealed: string): Static<Schema> | undefined {
    const stored = JSON.parse(open(keyOf(this.kind, bearer), this.kind, sealed)) as Record<
      'version' | 'state',
      unknown
    >;
    return stored.version === this.version && this.check.Check(stored.state) ? stored.state : undefined;
  }
}
