import { randomBytes } from 'node:crypto';
import type { Permission } from '../../src/open-banking/permissions.js';
import type { Access, Departure } from './bank.client.js';
import type { Exchange } from './exchange.js';

/** The access that a customer gave, and its permissions. */
export interface Connection {
  readonly access: Access;
  readonly permissions: readonly Permission[];
}

/** A customer is at the bank. */
export interface AuthorisationAttempt {
  readonly departure: Departure;
  readonly permissions: readonly Permission[];
  /** The page to show when they are back. */
  readonly returnTo: string;
}

/** Told on the next page, once. */
export interface Notice {
  readonly words: string;
  /** The requests to the bank behind it. */
  readonly exchanges?: readonly Exchange[];
}

/** The TPP's knowledge of one browser. */
export interface Session {
  readonly id: string;
  /** Posted with every form. */
  readonly csrf: string;
  /** The accounts by their ids, as the customer knows them. */
  readonly accountNames: Map<string, string>;
  connection?: Connection;
  attempt?: AuthorisationAttempt;
  notice?: Notice;
}

const mostSessions = 500;

/** In memory: after a restart of the sandbox a customer connects anew. */
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
      if (this.sessions.size <= mostSessions) break;
      this.sessions.delete(oldest);
    }
    return session;
  }
}
