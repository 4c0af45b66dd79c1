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
  readonly loginName: string;
  /** Absent where login name or password was wrong: nobody gets a code, and nothing proves the ticket. */
  readonly person?: PersonRow;
  readonly goodUntilMs: number;
  readonly code: string;
  readonly codeGoodUntilMs: number;
  triesLeft: number;
}

export const codeLifeMs = 5 * 60_000;
/** Within it a person can have another code without the password. */
export const ticketLifeMs = 15 * 60_000;
const triesAtOneCode = 3;
const ticketsKept = 1_000;

/** The bank's way of telling who its customers are: a password, and a code that goes to the customer's inbox. */
export class SignOn {
  /** In the order in which their codes were sent. */
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
    const persona = this.byLoginName.get(loginName);
    const known = sameSecret(password, persona === undefined ? '' : signOnOf(persona).password) && persona;
    const goodUntilMs = this.clock.nowMs() + ticketLifeMs;
    return this.issue({ loginName, goodUntilMs, ...(known && { person: known.person }) });
  }

  /** Another ticket in place of this one, with another code; `undefined` where this one is unknown or too old. */
  sendAgain(ticketId: string): string | undefined {
    const ticket = this.find(ticketId);
    this.tickets.delete(ticketId);
    return ticket && this.issue(ticket);
  }

  /** Whose ticket it is. The right code spends it. A wrong one can be corrected twice. */
  prove(ticketId: string, code: string): PersonRow | 'wrong' | 'expired' {
    const ticket = this.find(ticketId);
    if (ticket === undefined || ticket.codeGoodUntilMs <= this.clock.nowMs()) return 'expired';
    const { person } = ticket;
    if (--ticket.triesLeft < 0 || !sameSecret(code, ticket.code) || person === undefined) return 'wrong';
    this.tickets.delete(ticketId);
    return person;
  }

  private find(ticketId: string): SignOnSession | undefined {
    const ticket = this.tickets.get(ticketId);
    return ticket && ticket.goodUntilMs > this.clock.nowMs() ? ticket : undefined;
  }

  private issue({
    loginName,
    person,
    goodUntilMs,
  }: Pick<SignOnSession, 'loginName' | 'person' | 'goodUntilMs'>): string {
    const sentAtMs = this.clock.nowMs();
    const codeGoodUntilMs = sentAtMs + codeLifeMs;
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    if (person !== undefined)
      this.inbox.deliver({ loginName, displayName: person.name.trim(), code, sentAtMs, goodUntilMs: codeGoodUntilMs });
    this.makeRoom();
    const id = randomBytes(32).toString('base64url');
    const triesLeft = triesAtOneCode;
    this.tickets.set(id, { loginName, ...(person && { person }), goodUntilMs, code, codeGoodUntilMs, triesLeft });
    return id;
  }

  private makeRoom(): void {
    for (const [id, { goodUntilMs }] of this.tickets) {
      if (goodUntilMs > this.clock.nowMs() && this.tickets.size < ticketsKept) break;
      this.tickets.delete(id);
    }
  }
}
