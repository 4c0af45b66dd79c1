import { cpus } from 'node:os';
import type { DatabaseSpent } from './database.js';
import { percentile } from './figures.js';
import { refreshedBursts, type FilledGateway } from './filled-gateway.js';
import type { Burst } from './bursts.js';
import { openLoop, until } from './open-loop.js';
import type { Setting } from './setting.js';
import { readOver } from './tpp.js';

const burstSize = 6;
/** From the refresh of a token to the reads of its burst, which come at once. */
const refreshAheadMs = 500;

/** One rate for a while. Latencies count from the time at which the clock wanted the request. */
export interface Step {
  /** Reads a second that were due. */
  readonly wanted: number;
  /** Reads a second that were answered 200. */
  readonly reached: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refreshP99Ms: number;
  readonly failed: number;
  readonly answered: number;
  /** For each read, with its part of a refresh. */
  readonly gatewayMs: number | undefined;
  readonly databaseMs: number | undefined;
  readonly statements: number | undefined;
  readonly walBytes: number;
  readonly shares: Shares;
}

/** Processors in use during a step; `undefined` on systems that do not tell. */
export interface Shares {
  readonly gateway: number | undefined;
  readonly database: number | undefined;
  readonly core: number | undefined;
  readonly tpp: number;
  /** The whole machine, with all other programs. */
  readonly machine: number;
}

interface Asked {
  readonly token: Promise<string>;
  readonly urls: readonly string[];
}

/** An open loop of bursts at one gateway. */
export class OpenDay {
  private next = 0;

  constructor(
    private readonly filled: FilledGateway,
    private readonly setting: Setting,
    private readonly spent: () => Promise<DatabaseSpent>,
  ) {}

  /** Bursts of other consents, each with a refreshed token; `undefined` when too few consents are left. */
  async cold(perSecond: number, seconds: number): Promise<Step | undefined> {
    const { usable, tokens, urlsOf } = this.filled;
    const bursts = Math.round((perSecond * seconds) / burstSize);
    const consents = usable.slice(this.next, this.next + bursts);
    this.next += bursts;
    if (consents.length < bursts) return undefined;
    const assertions = await tokens.assertions(bursts);
    return this.step(perSecond, bursts, (index) => {
      const consent = consents[index] as (typeof usable)[number];
      return { token: tokens.refresh(assertions[index] as string, consent.refreshToken), urls: urlsOf(consent) };
    });
  }

  /** The same bursts again and again. */
  hot(perSecond: number, seconds: number, hot: readonly Burst[]): Promise<Step> {
    return this.step(perSecond, Math.round((perSecond * seconds) / burstSize), (index) => {
      const { token, urls } = hot[index % hot.length] as Burst;
      return { token: Promise.resolve(token), urls };
    });
  }

  /** New tokens at full speed. @returns the gateway's processor time for each, in milliseconds */
  async refreshes(count: number): Promise<{ gatewayMs: number | undefined; hot: Burst[] }> {
    const consents = this.filled.usable.slice(this.next, this.next + count);
    this.next += count;
    const spent = this.filled.gateway.server.cpuMeter();
    const hot = await refreshedBursts(this.filled, consents);
    return { gatewayMs: spent(count), hot };
  }

  private async step(wanted: number, bursts: number, ask: (index: number) => Asked): Promise<Step> {
    const [reads, refreshes]: [number[], number[]] = [[], []];
    let failed = 0;
    const read = async (asked: Asked, url: string, intendedMs: number): Promise<void> => {
      const answer = await asked.token
        .then((token) => readOver(this.filled.agent, { url, token }))
        .catch(() => undefined);
      reads.push(performance.now() - intendedMs);
      if (answer === undefined) failed++;
    };
    const [server, core, tpp] = [
      this.filled.gateway.server.cpuMeter(),
      this.setting.bankCpuMeter(),
      process.cpuUsage(),
    ];
    const [before, startedMs, machineBefore] = [await this.spent(), performance.now(), busyMs()];
    await openLoop(wanted / burstSize, bursts, async (index, intendedMs) => {
      const asked = ask(index);
      asked.token.then(
        () => refreshes.push(performance.now() - intendedMs),
        () => undefined,
      );
      const dueMs = intendedMs + refreshAheadMs;
      await until(dueMs);
      await Promise.all(asked.urls.map((url) => read(asked, url, dueMs)));
    });
    const elapsedMs = performance.now() - startedMs;
    const [after, own, machine] = [await this.spent(), process.cpuUsage(tpp), busyMs() - machineBefore];
    const answered = reads.length - failed;
    const [reach, late] = [reads, refreshes].map((times) => times.toSorted((one, other) => one - other));
    const of = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / elapsedMs);
    const databaseMs = difference(before.cpuMs, after.cpuMs);
    const statements = difference(before.statements, after.statements);
    const gatewayMs = server(1);
    return {
      wanted,
      reached: (answered * 1_000) / (elapsedMs - refreshAheadMs),
      p50Ms: percentile(reach ?? [], 0.5),
      p99Ms: percentile(reach ?? [], 0.99),
      refreshP99Ms: percentile(late ?? [], 0.99),
      failed,
      answered,
      gatewayMs: gatewayMs === undefined ? undefined : gatewayMs / answered,
      databaseMs: databaseMs === undefined ? undefined : databaseMs / answered,
      statements: statements === undefined ? undefined : statements / answered,
      walBytes: (after.walBytes - before.walBytes) / answered,
      shares: {
        gateway: of(gatewayMs),
        database: of(databaseMs),
        core: of(core(1)),
        tpp: (own.user + own.system) / 1_000 / elapsedMs,
        machine: machine / elapsedMs,
      },
    };
  }
}

function difference(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before;
}

/** The time of all processors so far in which they worked. */
function busyMs(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}
