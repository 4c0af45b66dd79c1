import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import { before } from './deadline.js';
import type { StatementFault } from './dialect.js';
import { Turns } from './turns.js';

/** One session at the database, for one statement at a time. */
export interface Session<Client> {
  readonly client: Client;
  /** Rejects where the database cannot be reached. */
  readonly opened: Promise<unknown>;
  /** False once either side has ended it. */
  readonly isUsable: boolean;
  /** Ends the statement that runs in it, and itself. @param ended settles when the statement has ended */
  abandon(ended: Promise<unknown>): void;
  /** Ends it while no statement runs. */
  end(): Promise<void>;
}

/** How a driver's errors are understood. */
export interface Faults {
  /** Whether the session cannot be used again after the driver's error. */
  readonly endsSession: (error: unknown) => boolean;
  /** The fault without the database's words. A {@link StatementFault} stays one. */
  readonly faultOf: (error: unknown) => CoreError | StatementFault;
  /** A refused connection, for a wrong password too, is a fault of the bank and no wrong answer of its core. */
  readonly unreachable: (error: unknown) => CoreError;
}

/** A few sessions, which are opened when they are needed. The pools of the drivers cannot abandon a session that is being opened. */
export class Connections<Client> {
  private readonly turns: Turns;
  /** Each with the work in it. */
  private readonly busy = new Map<Session<Client>, Promise<unknown>>();
  private idle: Session<Client>[] = [];
  /** Those at work that were opened before {@link reopen}. */
  private readonly outdated = new Set<Session<Client>>();
  private isClosed = false;

  constructor(
    most: number,
    private open: () => Session<Client>,
    private readonly faults: Faults,
  ) {
    this.turns = new Turns(most);
  }

  /** Uses one session. When the signal fires the call ends at once, and the session with it. */
  async use<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T> {
    await this.turns.take(signal);
    try {
      if (this.isClosed) throw new CoreError('unavailable', 'the adapter was closed');
      this.idle = this.idle.filter(({ isUsable }) => isUsable);
      const session = this.idle.pop() ?? this.open();
      const worked = this.worked(session, work);
      this.busy.set(session, worked);
      try {
        return await before(signal, worked);
      } catch (error) {
        if (error instanceof CoreError || this.faults.endsSession(error)) session.abandon(worked);
        throw this.faults.faultOf(error);
      } finally {
        this.busy.delete(session);
        if (this.outdated.delete(session)) void endOf(session);
        else if (session.isUsable) this.idle.push(session);
      }
    } finally {
      this.turns.leave();
    }
  }

  /** Opens sessions in another way from now on. No statement under way ends; its session is used no further. */
  reopen(open: () => Session<Client>): void {
    this.open = open;
    for (const session of this.busy.keys()) this.outdated.add(session);
    for (const session of this.idle.splice(0)) void endOf(session);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const abandoned = [...this.busy].map(([session, worked]) => {
      session.abandon(worked);
      return worked.catch(() => undefined);
    });
    await Promise.all([...abandoned, ...this.idle.filter(({ isUsable }) => isUsable).map((session) => session.end())]);
  }

  private async worked<T>({ client, opened }: Session<Client>, work: (client: Client) => Promise<T>): Promise<T> {
    await opened.catch((error: unknown) => {
      throw this.faults.unreachable(error);
    });
    return work(client);
  }
}

async function endOf(session: Session<unknown>): Promise<void> {
  // Where the database is away, the session has ended already.
  if (session.isUsable) await session.end().catch(() => undefined);
}
