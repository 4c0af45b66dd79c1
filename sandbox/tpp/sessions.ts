import { randomBytes } from 'node:crypto';
import type { Permission } from '../../src/open-banking/permissions.js';
import type { Access, Departure, Exchange } from './bank.client.js';

/** What a customer has let us see. */
export interface Connection {
  readonly access: Access;
  readonly permissions: readonly Permission[];
}

/** A customer is at the bank. */
export interface Trip {
  readonly departure: Departure;
  readonly permissions: readonly Permission[];
  /** Where to go on when they are back. */
  readonly returnTo: string;
}

/** Told on the next page, once. */
export interface Notice {
  readonly words: string;
  /** What went over the line for it. */
  readonly exchanges?: readonly Exchange[];
}

/** What the TPP knows of one browser. */
export interface Session {
  readonly id: string;
  /** Posted with every form. */
  readonly csrf: string;
  /** The accounts by their ids, as the customer knows them. */
  readonly accountNames: Map<string, string>;
  connection?: Connection;
  trip?: Trip;
  notice?: Notice;
}

const kept = 500;

/** In memory: whoever restarts the sandbox connects anew. */
export class Sessions {
  /** The one that was used longest ago first. */
  private readonly sessions = new Map<string, Session>();

  find(id: string | undefined): Session | undefined {
    const session = this.sessions.get(id ?? '');
    if (session !== undefined) {
      this.sessions.delete(session.id);
      this.sessions.set(session.id, session);
    }
    return session;
  }

  open(): Session {
    const secret = (): string => randomBytes(32).toString('base64url');
    const session = { id: secret(), csrf: secret(), accountNames: new Map<string, string>() };
    this.sessions.set(session.id, session);
    for (const oldest of this.sessions.keys()) {
      if (this.sessions.size <= kept) break;
      this.sessions.delete(oldest);
    }
    return session;
  }
}
