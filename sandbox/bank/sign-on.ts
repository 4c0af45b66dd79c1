import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from '../../src/clock/clock.js';
import { sameSecret } from './bearer.js';
import type { Inbox } from './inbox.js';
import type { PersonRow } from './ledger.records.js';
import type { Persona } from './personas/persona.js';

/** The login name and password of a persona. Both are public, so they suit only a sandbox. */
export function signOnOf({ name }: Pick<Persona, 'name'>): { readonly loginName: string; readonly password: string } {
  return { loginName: name, password: `sandbox-${name}` };
}

/** Behind any login name: the app asks the person in place of a code, or the bank has locked the person out. */
export const inApp = '+app';
export const lockedOut = '+locked';

/** A question in a customer's app: whether it is the customer who signs in. */
export interface AppQuestion {
  readonly id: string;
  /** The number that the page of the sign-in shows too. */
  readonly shown: string;
  readonly displayName: string;
}

interface SignOnSession {
  readonly loginName: string;
  /** Where the app asks: the number that it shows, and the person's answer. */
  readonly shown?: string;
  answer?: 'approved' | 'declined';
  /** Absent if the login name or password was wrong: then no code is sent, and no code proves the ticket. */
  readonly person?: PersonRow;
  readonly goodUntilMs: number;
  readonly code: string;
  readonly codeGoodUntilMs: number;
  triesLeft: number;
}

export const codeLifeMs = 5 * 60_000;
/** How long a person can get a new code without the password. */
export const ticketLifeMs = 15 * 60_000;
const triesAtOneCode = 3;
const ticketsKept = 1_000;

/** The bank's customer authentication: a password, and a code that goes to the customer's inbox, or a question in the app. */
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

  /** Every attempt gets a ticket, a right password also a code. The ticket does not show whether a code was sent. */
  begin(loginName: string, password: string): string {
    const persona = this.byLoginName.get(loginName.replace(inApp, '').replace(lockedOut, ''));
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

  /** The owner of the ticket. The right code uses it up. A wrong code can be corrected twice. */
  prove(ticketId: string, code: string): PersonRow | 'wrong' | 'expired' | 'locked' {
    const ticket = this.find(ticketId);
    if (ticket === undefined || ticket.codeGoodUntilMs <= this.clock.nowMs()) return 'expired';
    const { person } = ticket;
    if (--ticket.triesLeft < 0 || !sameSecret(code, ticket.code) || person === undefined) return 'wrong';
    return this.proven(ticketId, ticket.loginName, person);
  }

  /** The owner of the ticket, once they have approved in the app. */
  askApp(ticketId: string): PersonRow | 'waiting' | 'declined' | 'expired' | 'locked' {
    const ticket = this.find(ticketId);
    if (ticket?.shown === undefined || ticket.codeGoodUntilMs <= this.clock.nowMs()) return 'expired';
    if (ticket.answer === undefined || ticket.person === undefined) return 'waiting';
    if (ticket.answer === 'approved') return this.proven(ticketId, ticket.loginName, ticket.person);
    this.tickets.delete(ticketId);
    return 'declined';
  }

  /** The number that the app shows for the ticket; `undefined` where a code was sent. */
  shownFor(ticketId: string): string | undefined {
    return this.tickets.get(ticketId)?.shown;
  }

  /** The open questions in the apps of all customers, newest first. */
  questions(): readonly AppQuestion[] {
    const nowMs = this.clock.nowMs();
    const open = [...this.tickets].filter(
      ([, { shown, person, answer, codeGoodUntilMs }]) => shown && person && !answer && codeGoodUntilMs > nowMs,
    );
    return open
      .reverse()
      .map(([id, { shown = '', person }]) => ({ id, shown, displayName: person?.name.trim() ?? '' }));
  }

  answer(ticketId: string, answer: 'approved' | 'declined'): void {
    const ticket = this.find(ticketId);
    if (ticket?.shown !== undefined) ticket.answer ??= answer;
  }

  /** The ticket is used up. */
  private proven(ticketId: string, loginName: string, person: PersonRow): PersonRow | 'locked' {
    this.tickets.delete(ticketId);
    return loginName.endsWith(lockedOut) ? 'locked' : person;
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
    const shown = loginName.endsWith(inApp) ? String(randomInt(10, 100)) : undefined;
    if (person !== undefined && shown === undefined)
      this.inbox.deliver({ loginName, displayName: person.name.trim(), code, sentAtMs, goodUntilMs: codeGoodUntilMs });
    this.makeRoom();
    const id = randomBytes(32).toString('base64url');
    const triesLeft = triesAtOneCode;
    const ends = { goodUntilMs, code, codeGoodUntilMs, triesLeft };
    this.tickets.set(id, { loginName, ...(person && { person }), ...(shown !== undefined && { shown }), ...ends });
    return id;
  }

  private makeRoom(): void {
    for (const [id, { goodUntilMs }] of this.tickets) {
      if (goodUntilMs > this.clock.nowMs() && this.tickets.size < ticketsKept) break;
      this.tickets.delete(id);
    }
  }
}
