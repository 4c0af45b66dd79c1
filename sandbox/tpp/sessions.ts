import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ConsentKind } from '../../src/open-banking/consent-state.js';
import type { Permission } from '../../src/open-banking/permissions.js';
import type { VersionName } from '../../src/versions/versions.js';
import { KeptFile, readKeptJson } from '../kept-file.js';
import type { Departure } from '../clients/authorisation-request.js';
import type { Access } from '../clients/bank.client.js';
import type { Exchange } from '../clients/exchange.js';

/** The access that a customer gave. */
interface Given {
  access: Access;
  /** The version of the API in which the consent was created, and is used. */
  readonly api: VersionName;
}

/** Access to accounts, and its permissions. */
export interface Connection extends Given {
  readonly permissions: readonly Permission[];
}

/** Access to checks of funds. */
export interface FundsConnection extends Given {
  /** The sort code and account number that the customer named. */
  readonly account: string;
}

/** The connections that a session may have, each with the kind of its consent. */
export const consentKinds = { connection: 'account-access', funds: 'funds-confirmation' } as const satisfies Record<
  string,
  ConsentKind
>;
export type ConnectionName = keyof typeof consentKinds;

/** A customer is at the bank. */
export interface AuthorisationAttempt {
  readonly departure: Departure;
  readonly asked:
    | { readonly name: 'connection'; readonly terms: Omit<Connection, 'access'> }
    | { readonly name: 'funds'; readonly terms: Omit<FundsConnection, 'access'> };
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
  funds?: FundsConnection;
  /** The latest check of funds. */
  fundsCheck?: Exchange;
  attempt?: AuthorisationAttempt;
  notice?: Notice;
}

type KeptSession = Pick<Session, 'id' | 'csrf' | ConnectionName> & {
  readonly accountNames: readonly (readonly [id: string, name: string])[];
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
      if (session?.connection === undefined && session?.funds === undefined) return [];
      const { id, csrf, accountNames, connection, funds } = session;
      return [{ id, csrf, accountNames: [...accountNames], connection, funds }];
    });
    const content = JSON.stringify(kept);
    if (content === this.saved) return;
    this.saved = content;
    await this.file.replace(content);
  }

  find(id: string | undefined): Session | undefined {
    return this.sessions.get(id ?? '');
  }

  /** Those to which a customer gave access by the consent, each with the name of that connection. */
  ofConsent(consentId: string): (readonly [Session, ConnectionName])[] {
    const names = Object.keys(consentKinds) as ConnectionName[];
    return [...this.sessions.values()].flatMap((session) =>
      names.filter((name) => session[name]?.access.consentId === consentId).map((name) => [session, name] as const),
    );
  }

  open(): Session {
    const secret = (): string => randomBytes(32).toString('base64url');
    const session = { id: secret(), csrf: secret(), accountNames: new Map<string, string>() };
    this.sessions.set(session.id, session);
    return session;
  }
}
