import { randomBytes } from 'node:crypto';
import type { Access, Departure } from './bank.client.js';

/** What the TPP knows of one browser. */
export interface Session {
  readonly id: string;
  /** Posted with every form. */
  readonly csrf: string;
  access?: Access;
  departure?: Departure;
  /** Told on the next page, once. */
  notice?: string;
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
    const session = { id: randomBytes(32).toString('base64url'), csrf: randomBytes(32).toString('base64url') };
    this.sessions.set(session.id, session);
    for (const oldest of this.sessions.keys()) {
      if (this.sessions.size <= kept) break;
      this.sessions.delete(oldest);
    }
    return session;
  }
}
