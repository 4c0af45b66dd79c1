import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from '../../src/clock/clock.js';
import { sameSecret } from './bearer.js';
import type { Inbox } from './inbox.js';
import type { Persona } from './personas/persona.js';

/** The login name and password of a persona. Both are public, so they suit only a sandbox. */
export function signOnOf({ name }: Pick<Persona, 'name'>): { readonly loginName: string; readonly password: string } {
  return { loginName: name, password: `sandbox-${name}` };
}

/** Behind any login name: the app asks the person in place of a code, or the bank has locked the person out. */
const inApp = '+app';
const lockedOut = '+locked';

/** A question in a customer's app: whether it is the customer who signs in. */
export interface AppQuestion {
  readonly id: string;
  /** The number that the page of the sign-in shows too. */
  readonly shown: string;
  readonly displayName: string;
  /** The request of a TPP, in the words of the page. */
  readonly asked?: AskedAccess;
}

/** A TPP's request. */
export interface AskedAccess {
  readonly tpp: string;
  readonly data: readonly string[];
}

/** Whom the bank has authenticated, and when. */
export interface ProvenCustomer {
  readonly persona: Persona;
  readonly atMs: number;
}

interface SignOnSession {
  readonly loginName: string;
  /** Where the app asks: the number that it shows, and the person's answer. */
  readonly shown?: string;
  answer?: { readonly is: 'approved' | 'declined'; readonly atMs: number };
  readonly asked?: AskedAccess;
  /** Absent if the login name or password was wrong: then no code is sent, and no code proves the ticket. */
  readonly persona?: Persona;
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
  begin(loginName: string, password: string, asked?: AskedAccess): string {
    const persona = this.byLoginName.get(loginName.replace(inApp, '').replace(lockedOut, ''));
    const recognised = sameSecret(password, persona === undefined ? '' : signOnOf(persona).password) && persona;
    const goodUntilMs = this.clock.nowMs() + ticketLifeMs;
    return this.issue({ loginName, goodUntilMs, ...(asked && { asked }), ...(recognised && { persona: recognised }) });
  }

  /** Another ticket in place of this one, with another code; `undefined` where this one is unknown or too old. */
  sendAgain(ticketId: string): string | undefined {
    const ticket = this.find(ticketId);
    this.tickets.delete(ticketId);
    return ticket && this.issue(ticket);
  }

  /** The owner of the ticket. The right code uses it up. A wrong code can be corrected twice. */
  prove(ticketId: string, code: string): ProvenCustomer | 'wrong' | 'expired' | 'locked' {
    const ticket = this.find(ticketId);
    if (ticket === undefined || ticket.codeGoodUntilMs <= this.clock.nowMs()) return 'expired';
    const { persona } = ticket;
    if (--ticket.triesLeft < 0 || !sameSecret(code, ticket.code) || persona === undefined) return 'wrong';
    return this.proven(ticketId, ticket.loginName, { persona, atMs: this.clock.nowMs() });
  }

  /** The owner of the ticket, once they have approved in the app. */
  askApp(ticketId: string): ProvenCustomer | 'waiting' | 'declined' | 'expired' | 'locked' {
    const ticket = this.find(ticketId);
    if (ticket?.shown === undefined || ticket.codeGoodUntilMs <= this.clock.nowMs()) return 'expired';
    const { answer, persona, loginName } = ticket;
    if (answer === undefined || persona === undefined) return 'waiting';
    if (answer.is === 'approved') return this.proven(ticketId, loginName, { persona, atMs: answer.atMs });
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
      ([, { shown, persona, answer, codeGoodUntilMs }]) => shown && persona && !answer && codeGoodUntilMs > nowMs,
    );
    return open
      .reverse()
      .map(([id, { shown = '', persona, asked }]) => ({
        id,
        shown,
        displayName: persona?.person.name.trim() ?? '',
        ...(asked && { asked }),
      }));
  }

  answer(ticketId: string, answer: 'approved' | 'declined'): void {
    const ticket = this.find(ticketId);
    if (ticket?.shown !== undefined) ticket.answer ??= { is: answer, atMs: this.clock.nowMs() };
  }

  /** The ticket is used up. */
  private proven(ticketId: string, loginName: string, proven: ProvenCustomer): ProvenCustomer | 'locked' {
    this.tickets.delete(ticketId);
    return loginName.endsWith(lockedOut) ? 'locked' : proven;
  }

  private find(ticketId: string): SignOnSession | undefined {
    const ticket = this.tickets.get(ticketId);
    return ticket && ticket.goodUntilMs > this.clock.nowMs() ? ticket : undefined;
  }

  private issue({
    loginName,
    persona,
    asked,
    goodUntilMs,
  }: Pick<SignOnSession, 'loginName' | 'persona' | 'asked' | 'goodUntilMs'>): string {
    const sentAtMs = this.clock.nowMs();
    const codeGoodUntilMs = sentAtMs + codeLifeMs;
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const shown = loginName.endsWith(inApp) ? String(randomInt(10, 100)) : undefined;
    if (persona !== undefined && shown === undefined)
      this.inbox.deliver({
        loginName,
        displayName: persona.person.name.trim(),
        code,
        sentAtMs,
        goodUntilMs: codeGoodUntilMs,
      });
    this.makeRoom();
    const id = randomBytes(32).toString('base64url');
    const triesLeft = triesAtOneCode;
    const ends = { goodUntilMs, code, codeGoodUntilMs, triesLeft };
    const about = { loginName, ...(persona && { persona }), ...(asked && { asked }) };
    this.tickets.set(id, { ...about, ...(shown !== undefined && { shown }), ...ends });
    return id;
  }

  private makeRoom(): void {
    for (const [id, { goodUntilMs }] of this.tickets) {
      if (goodUntilMs > this.clock.nowMs() && this.tickets.size < ticketsKept) break;
      this.tickets.delete(id);
    }
  }
}
