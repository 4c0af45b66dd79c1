import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Permission } from '../../src/open-banking/permissions.js';
import type { VersionName } from '../../src/versions/versions.js';
import { KeptFile, readKeptJson } from '../kept-file.js';
import type { Access, Departure } from '../clients/bank.client.js';
import type { Exchange } from '../clients/exchange.js';

/** The access that a customer gave, and its permissions. */
export interface Connection {
  readonly access: Access;
  /** The version of the API in which the consent was created, and is read. */
  readonly api: VersionName;
  readonly permissions: readonly Permission[];
}

/** A customer is at the bank. */
export interface AuthorisationAttempt {
  readonly departure: Departure;
  readonly api: VersionName;
  readonly permissions: readonly Permission[];
  /** The page to show when they are back. */
  readonly returnTo: string;
}

/** Shown once, on the next page. */
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

type KeptSession = Pick<Session, 'id' | 'csrf'> & {
  readonly accountNames: readonly (readonly [id: string, name: string])[];
  readonly connection: Connection;
};

const mostSessions = 500;

/** In memory, and those that are connected in a file, for the next start. */
export class Sessions {
  private readonly sessions = new LRUCache<string, Session>({ max: mostSessions });
  /** The content of the file. */
  private saved = '[]';

  private constructor(private readonly file: KeptFile) {}

  /** Throws a `FaultyStart` where the file is there and cannot be read. */
  static async open(file: string): Promise<Sessions> {
    const sessions = new Sessions(new KeptFile(file));
    const otherwise = 'as connections: remove it, and customers connect again';
    for (const { accountNames, ...session } of (await readKeptJson<KeptSession[]>(file, otherwise)) ?? [])
      sessions.sessions.set(session.id, { ...session, accountNames: new Map(accountNames) });
    return sessions;
  }

  /** Writes the connections to the file where they have changed. */
  async save(): Promise<void> {
    // The session that was used longest ago first, so that the next start reads them in this order.
    const kept = [...this.sessions.rvalues()].flatMap((session): KeptSession[] => {
      if (session?.connection === undefined) return [];
      const { id, csrf, accountNames, connection } = session;
      return [{ id, csrf, accountNames: [...accountNames], connection }];
    });
    const content = JSON.stringify(kept);
    if (content === this.saved) return;
    this.saved = content;
    await this.file.replace(content);
  }

  find(id: string | undefined): Session | undefined {
    return this.sessions.get(id ?? '');
  }

  /** Those to which a customer gave access by the consent. */
  ofConsent(consentId: string): Session[] {
    return [...this.sessions.values()].filter(({ connection }) => connection?.access.consentId === consentId);
  }

  open(): Session {
    const secret = (): string => randomBytes(32).toString('base64url');
    const session = { id: secret(), csrf: secret(), accountNames: new Map<string, string>() };
    this.sessions.set(session.id, session);
    return session;
  }
}
