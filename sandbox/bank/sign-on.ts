import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from '../../src/clock/clock.js';
import { sameSecret } from './bearer.js';
import type { Inbox } from './inbox.js';
import type { PersonRow } from './ledger.records.js';
import type { Persona } from './personas/persona.js';

/** By what a persona signs on. Everybody knows it: of use in the sandbox only. */
export function signOnOf({ name }: Pick<Persona, 'name'>): { readonly loginName: string; readonly password: string } {
  return { loginName: name, password: `sandbox-${name}` };
}

interface SignOnSession {
  /** Absent where login name or password was wrong: nothing proves such a ticket. */
  readonly proof?: { readonly code: string; readonly person: PersonRow };
  readonly goodUntilMs: number;
}

export const ticketLifeMs = 5 * 60_000;
const ticketsKept = 1_000;

/** The bank's way of telling who its customers are: a password, and a code that goes to the customer's inbox. */
export class SignOn {
  /** Oldest first: all of them live equally long. */
  private readonly tickets = new Map<string, SignOnSession>();
  private readonly byLoginName: ReadonlyMap<string, Persona>;

  constructor(
    personas: readonly Persona[],
    private readonly inbox: Inbox,
    private readonly clock: Clock,
  ) {
    this.byLoginName = new Map(personas.map((persona) => [signOnOf(persona).loginName, persona]));
  }

  /** A ticket for everybody. Only the one whose password was right gets a code with it, of which the ticket says nothing. */
  begin(loginName: string, password: string): string {
    const goodUntilMs = this.clock.nowMs() + ticketLifeMs;
    const persona = this.byLoginName.get(loginName);
    const known = sameSecret(password, persona === undefined ? '' : signOnOf(persona).password) && persona;
    let proof: SignOnSession['proof'];
    if (known) {
      const { person } = known;
      proof = { code: String(randomInt(1_000_000)).padStart(6, '0'), person };
      const displayName = person.name.trim();
      this.inbox.deliver({ loginName, displayName, code: proof.code, sentAtMs: this.clock.nowMs(), goodUntilMs });
    }
    return this.keep({ proof, goodUntilMs });
  }

  /** Whose ticket it is. A ticket is spent by the first try, whether the code was right or not. */
  prove(ticketId: string, code: string): PersonRow | undefined {
    const ticket = this.tickets.get(ticketId);
    this.tickets.delete(ticketId);
    if (ticket?.proof === undefined || ticket.goodUntilMs <= this.clock.nowMs()) return undefined;
    return sameSecret(code, ticket.proof.code) ? ticket.proof.person : undefined;
  }

  private keep(ticket: SignOnSession): string {
    for (const [id, { goodUntilMs }] of this.tickets) {
      if (goodUntilMs > this.clock.nowMs() && this.tickets.size < ticketsKept) break;
      this.tickets.delete(id);
    }
    const id = randomBytes(32).toString('base64url');
    this.tickets.set(id, ticket);
    return id;
  }
}
