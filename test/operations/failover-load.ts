import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until.js';
import type { GatewayClient, GivenAccess } from './gateway-client.js';

/** By the monotonic time at which the request was sent. */
interface Answer {
  readonly status: number | undefined;
  readonly sentMs: number;
}

/** A customer’s access whose authorisation was acknowledged. */
interface Access extends GivenAccess {
  attempted?: true;
  withdrawnMs?: number;
}

/** Each list is empty where the gateways keep their promises. */
interface FailoverFaults {
  /** Reads that were answered although they were sent more than a second after the acknowledged withdrawal. */
  readonly served: readonly unknown[];
  /** Acknowledged authorisations and withdrawals that are not so at a gateway. */
  readonly lost: readonly unknown[];
  /** Statuses of reads other than 200, 401 and 503; `undefined` where no answer came. */
  readonly unexpected: readonly unknown[];
}

/** A withdrawal is effective at each gateway for every request that comes this time after its acknowledgement. */
const effectiveAfterMs = 1_000;
/** Withdrawals leave this number of accesses, so that there are some to withdraw while no new one can be given. */
const kept = 20;

/**
 * TPPs, customers and a bank at two gateways, all the time: reads of one consent, new consents with their authorisations,
 * and withdrawals, in turn by the bank and by the TPP, of consents that are read before and after.
 */
export class FailoverLoad {
  private over = false;
  private readonly working: Promise<void>[] = [];
  private readonly reads: readonly [Answer[], Answer[]] = [[], []];
  private readonly otherReads: (Answer & { readonly access: Access })[] = [];
  /** In the order in which they were given, and will be withdrawn. */
  private readonly given: Access[] = [];
  private readonly withdrawn: Access[] = [];
  private gifts = 0;

  private constructor(
    private readonly gateways: readonly [GatewayClient, GatewayClient],
    private readonly good: GivenAccess,
  ) {}

  /** Resolves when all its kinds of requests succeed. */
  static async start(...gateways: [GatewayClient, GatewayClient]): Promise<FailoverLoad> {
    const load = new FailoverLoad(gateways, await gateways[0].give());
    await Promise.all(Array.from({ length: kept }, () => load.give(0)));
    for (const [index, gateway] of gateways.entries()) {
      load.repeat(20, async () => void load.reads[index]?.push(await load.read(gateway, load.good)));
      load.repeat(50, () => load.readOthers(gateway));
    }
    load.repeat(50, (turn) => load.give(turn));
    load.repeat(50, () => load.withdraw());
    await load.goesOn();
    return load;
  }

  /** Resolves when each kind of request was sent from now on and has succeeded, reads at both gateways. */
  async goesOn(): Promise<void> {
    // Each way of a withdrawal at each gateway, and one that was under way.
    const [gifts, withdrawals] = [this.gifts + 2, this.withdrawn.length + 5];
    await this.isAnswered();
    await until(() => this.gifts >= gifts && this.withdrawn.length >= withdrawals);
  }

  /** Resolves when each gateway has answered a read for which it had to ask the database. */
  async isAnswered(): Promise<void> {
    const fromMs = performance.now() + effectiveAfterMs;
    await until(() =>
      this.reads.every((answers) => answers.some(({ status, sentMs }) => status === 200 && sentMs > fromMs)),
    );
  }

  /** Resolves when each gateway answers 503 to a read: it serves nothing from memory any more. */
  isRefused(): Promise<void> {
    return until(() => this.reads.every((answers) => answers.at(-1)?.status === 503));
  }

  /** Ends the load, and compares the answers with the acknowledgements. */
  async end(): Promise<FailoverFaults> {
    this.over = true;
    await Promise.all(this.working);
    // Until then a gateway may serve the last one, which was withdrawn at the other gateway.
    await sleep(Math.max(0, (this.withdrawn.at(-1)?.withdrawnMs ?? 0) + effectiveAfterMs - performance.now()));
    const served = this.otherReads.filter(
      ({ status, sentMs, access: { withdrawnMs = Number.POSITIVE_INFINITY } }) =>
        status === 200 && sentMs >= withdrawnMs + effectiveAfterMs,
    );
    const statuses = new Set([...this.reads.flat(), ...this.otherReads].map(({ status }) => status));
    const unexpected = [...statuses].filter((status) => status === undefined || ![200, 401, 503].includes(status));
    return { served, lost: await this.lost(), unexpected };
  }

  private repeat(pauseMs: number, work: (turn: number) => Promise<void>): void {
    const repeated = async (): Promise<void> => {
      for (let turn = 0; !this.over; turn++) {
        await work(turn);
        await sleep(pauseMs);
      }
    };
    this.working.push(repeated());
  }

  private async read(gateway: GatewayClient, access: GivenAccess): Promise<Answer> {
    const sentMs = performance.now();
    return { status: await gateway.read(access), sentMs };
  }

  /** Reads the consents that were withdrawn last, and the next ones, so that the gateway keeps their rows. */
  private async readOthers(gateway: GatewayClient): Promise<void> {
    const others = [...this.withdrawn.slice(-4), ...this.given.slice(0, 2)];
    const read = async (access: Access) => this.otherReads.push({ access, ...(await this.read(gateway, access)) });
    await Promise.all(others.map(read));
  }

  /** While the database refuses changes, it gives none. */
  private async give(turn: number): Promise<void> {
    const access = await this.gateways[turn % 2]!.give().catch(() => undefined);
    if (access === undefined) return;
    this.gifts++;
    this.given.push({ ...access });
  }

  /** Repeats a withdrawal that got 503, in the same way. */
  private async withdraw(): Promise<void> {
    const [next] = this.given;
    if (next === undefined || this.given.length <= kept) return;
    next.attempted = true;
    const way = this.withdrawn.length % 4;
    const gateway = this.gateways[way % 2]!;
    const status = await (way < 2 ? revoke(gateway, next) : gateway.delete(next));
    const isDone = status === 200 || status === 204;
    if (isDone) this.withdrawn.push(Object.assign(next, { withdrawnMs: performance.now() }));
    // A deletion that got 503 may have taken effect: its repetition finds no consent.
    if (isDone || status === 400) this.given.shift();
  }

  private async lost(): Promise<unknown[]> {
    const lost: unknown[] = [];
    const untouched = this.given.filter(({ attempted }) => attempted === undefined);
    for (const gateway of this.gateways)
      for (const [accesses, status] of [[this.withdrawn, 401] as const, [untouched, 200] as const])
        for (const access of accesses) {
          const found = await gateway.read(access);
          if (found !== status) lost.push({ consentId: access.consentId, found, acknowledged: status });
        }
    return lost;
  }
}

function revoke(gateway: GatewayClient, access: GivenAccess): Promise<number> {
  return gateway.revoke(access).then(
    () => 200,
    (error: Error) => {
      if (!error.message.includes('was answered 503')) throw error;
      return 503;
    },
  );
}
