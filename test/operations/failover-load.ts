import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { until } from '../support/until.js';
import { authoriseAt, awaitingConsentAt, consentAt, readAt, type TestConsent } from './consented-reads.js';
import { bankCredential, type GatewayProcess } from './gateway-process.js';

type Gateways = readonly [GatewayProcess, GatewayProcess];

/** By the monotonic times at which the request was sent and its answer was complete. */
interface Answer {
  readonly status: number | undefined;
  readonly sentMs: number;
  readonly doneMs: number;
}

/** A customer’s access whose authorisation was acknowledged. */
interface Access {
  readonly consent: TestConsent;
  attempted?: true;
  withdrawnMs?: number;
}

interface FailoverFigures {
  readonly [name: string]: number | readonly number[];
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

/** The longest pause between two of these times, in milliseconds. */
function longestPause(timesMs: readonly number[]): number {
  return Math.round(Math.max(0, ...timesMs.slice(1).map((atMs, index) => atMs - (timesMs[index] ?? atMs))));
}

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
  private readonly givenMs: number[] = [];
  private readonly refusals = new Map<string, number>();

  private constructor(
    private readonly gateways: Gateways,
    private readonly bank: SandboxBank,
    private readonly good: TestConsent,
  ) {}

  /** Resolves when all its kinds of requests succeed. */
  static async start(gateways: Gateways, bank: SandboxBank): Promise<FailoverLoad> {
    const load = new FailoverLoad(gateways, bank, await consentAt(gateways[0], bank));
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
    const [gifts, withdrawals] = [this.givenMs.length + 2, this.withdrawn.length + 5];
    await this.isAnswered();
    await until(() => this.givenMs.length >= gifts && this.withdrawn.length >= withdrawals);
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
  async end(): Promise<{ readonly faults: FailoverFaults; readonly figures: FailoverFigures }> {
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
    return { faults: { served, lost: await this.lost(), unexpected }, figures: this.figures() };
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

  private async read(gateway: GatewayProcess, consent: TestConsent): Promise<Answer> {
    const sentMs = performance.now();
    return { status: await readAt(gateway, consent), sentMs, doneMs: performance.now() };
  }

  /** Reads the consents that were withdrawn last, and the next ones, so that the gateway keeps their rows. */
  private async readOthers(gateway: GatewayProcess): Promise<void> {
    const others = [...this.withdrawn.slice(-4), ...this.given.slice(0, 2)];
    const read = async (access: Access) =>
      this.otherReads.push({ access, ...(await this.read(gateway, access.consent)) });
    await Promise.all(others.map(read));
  }

  private async give(turn: number): Promise<void> {
    const gateway = this.gateways[turn % 2]!;
    try {
      const consent = await awaitingConsentAt(gateway, this.bank);
      await authoriseAt(gateway, this.bank, consent);
      this.givenMs.push(performance.now());
      this.given.push({ consent });
    } catch (error) {
      this.refused(`authorisations: ${/\b\d{3}\b/.exec((error as Error).message)?.[0] ?? String(error)}`);
    }
  }

  /** Repeats a withdrawal that got 503, in the same way. */
  private async withdraw(): Promise<void> {
    const [next] = this.given;
    if (next === undefined || this.given.length <= kept) return;
    next.attempted = true;
    const way = this.withdrawn.length % 4;
    const gateway = this.gateways[way % 2]!;
    const answer = await (way < 2 ? this.revoke(gateway, next.consent) : this.delete(gateway, next.consent));
    if (answer.ok) this.withdrawn.push(Object.assign(next, { withdrawnMs: performance.now() }));
    else this.refused(`withdrawals: ${answer.status}`);
    // A deletion that got 503 may have taken effect: its repetition finds no consent.
    if (answer.ok || answer.status === 400) this.given.shift();
  }

  private refused(as: string): void {
    this.refusals.set(as, (this.refusals.get(as) ?? 0) + 1);
  }

  private revoke({ ports }: GatewayProcess, { consentId }: TestConsent): Promise<Response> {
    const headers = { authorization: `Bearer ${bankCredential}`, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${ports.bankPort}/bank/v1/consents/${consentId}/revoke`;
    return fetch(url, { method: 'POST', headers, body: '{}' });
  }

  private async delete({ ports }: GatewayProcess, { consentId }: TestConsent): Promise<Response> {
    const headers = { authorization: `Bearer ${await this.bank.mintToken({ clientId: 'tpp-one' })}` };
    const url = `http://127.0.0.1:${ports.port}${v3_1.basePath}/account-access-consents/${consentId}`;
    return fetch(url, { method: 'DELETE', headers });
  }

  private async lost(): Promise<unknown[]> {
    const lost: unknown[] = [];
    const untouched = this.given.filter(({ attempted }) => attempted === undefined);
    for (const gateway of this.gateways)
      for (const [accesses, status] of [[this.withdrawn, 401] as const, [untouched, 200] as const])
        for (const { consent } of accesses) {
          const found = await readAt(gateway, consent);
          if (found !== status) lost.push({ consentId: consent.consentId, found, acknowledged: status });
        }
    return lost;
  }

  private figures(): FailoverFigures {
    const all = [...this.reads.flat(), ...this.otherReads];
    const successesMs = (answers: readonly Answer[]) =>
      answers.flatMap(({ status, doneMs }) => (status === 200 ? [doneMs] : []));
    return {
      reads: all.length,
      'reads: 503': all.filter(({ status }) => status === 503).length,
      'reads: slowest answer, ms': Math.round(Math.max(...all.map(({ sentMs, doneMs }) => doneMs - sentMs))),
      'reads: longest time without one at each gateway, ms': this.reads.map((answers) =>
        longestPause(successesMs(answers)),
      ),
      'withdrawals: acknowledged': this.withdrawn.length,
      'withdrawals: longest time without one, ms': longestPause(
        this.withdrawn.map(({ withdrawnMs = 0 }) => withdrawnMs),
      ),
      'authorisations: acknowledged': this.givenMs.length,
      'authorisations: longest time without one, ms': longestPause(this.givenMs),
      ...Object.fromEntries(this.refusals),
    };
  }
}
