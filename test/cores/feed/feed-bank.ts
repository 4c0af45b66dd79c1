import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestCore, TestDelivery } from '../../../packages/adapter-kit/adapter-kit.js';
import { loadDelivery } from '../../../src/core-banking/adapters/feed/delivery.loader.js';
import type { LoadOutcome } from '../../../src/core-banking/adapters/feed/delivery-loading.js';
import type { Part } from '../../../src/core-banking/adapters/feed/feed-file.js';
import { changing } from '../changing-people.js';
import type { People } from '../people.js';
import type { MappedShape } from './mapped-shape.js';

const firstAsOfMs = Date.parse('2026-11-20T23:59:59.500Z');
const maxAgeMs = 30 * 3_600_000;
export const variables = { CORE_FEED_MAX_AGE: 'P1DT6H' };
const isSource = import.meta.url.endsWith('.ts');
const silent = { file: () => {}, rows: () => {}, step: () => {}, end: () => {} };

/** A bank that delivers files every night, and the folder of the replica that they are loaded into. */
export class FeedBank {
  private readonly folder = mkdtempSync(join(tmpdir(), 'feed-'));
  /** The folder of the delivery that was taken last. */
  private inUse = '';
  private written = 0;
  /** Why the last delivery was refused. */
  private said = '';
  private asOfMs = firstAsOfMs;
  private people: People;

  constructor(private readonly shape: MappedShape) {
    this.people = shape.people;
    writeFileSync(join(this.folder, 'feed.yaml'), shape.mapping);
  }

  get core(): TestCore {
    return {
      url: pathToFileURL(join(this.folder, 'replica')).href,
      variables: this.variables,
      ...changing(this.shape.people, (people) => {
        this.people = people;
        return this.mustDeliver();
      }),
      replica: { asOfMs: () => this.asOfMs, maxAgeMs, deliver: (delivery) => this.deliver(delivery) },
      close: () => {
        rmSync(this.folder, { recursive: true });
        return Promise.resolve();
      },
    };
  }

  /** @throws where a delivery that is right was refused */
  async mustDeliver(): Promise<void> {
    if (!(await this.deliver('newer'))) throw new Error(`the test bank’s delivery was refused: ${this.said}`);
  }

  private get variables(): Record<string, string> {
    return { ...variables, CORE_FEED_FILE: join(this.folder, 'feed.yaml') };
  }

  private async deliver(delivery: TestDelivery): Promise<boolean> {
    if (delivery === 'repeated') return (await this.load(this.inUse)).taken;
    const asOfMs = this.asOfMs + (this.inUse === '' ? 0 : delivery === 'older' ? -3_600_000 : 3_600_000);
    const path = this.write(delivery, asOfMs);
    if (delivery === 'cut-off') return this.cutOff(path);
    const outcome = await this.load(path);
    this.said = outcome.taken ? '' : [outcome.message, ...outcome.faults].join('\n');
    if (!outcome.taken) return false;
    [this.inUse, this.asOfMs] = [path, asOfMs];
    return true;
  }

  private load(delivery: string): Promise<LoadOutcome> {
    const url = this.core.url;
    return loadDelivery({ url, connections: 1, variables: this.variables }, delivery, silent, this.asOfMs + maxAgeMs);
  }

  /** A process of its own takes the delivery, and kills itself when it has read the files. */
  private async cutOff(delivery: string): Promise<boolean> {
    const program = fileURLToPath(new URL(`./cut-off-load.${isSource ? 'ts' : 'js'}`, import.meta.url));
    const loader = ['--import', new URL('../../support/typescript-loader.mjs', import.meta.url).href];
    const env = { ...process.env, ...this.variables, CORE_URL: this.core.url };
    const child = spawn(process.execPath, [...(isSource ? loader : []), program, delivery], { env, stdio: 'ignore' });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (signal !== 'SIGKILL') throw new Error('the process that takes the delivery was not cut off');
    return false;
  }

  /** @returns the folder of the delivery */
  private write(delivery: TestDelivery, asOfMs: number): string {
    const number = ++this.written;
    const path = join(this.folder, `delivery-${number}`);
    mkdirSync(path);
    const files = this.shape.parts.map((part) => {
      const lines = this.linesOf(part, number);
      if (delivery === 'broken' && part === 'balances') lines.push(this.shape.brokenBalance(this.firstAccountRef));
      const rows = lines.length;
      if (delivery === 'partial' && part === 'transactions') lines.pop();
      writeFileSync(join(path, part), this.shape.fileOf(part, lines));
      return `  ${part}: { file: ${part}, rows: ${rows} }`;
    });
    const follows = this.shape.file.history === 'added' ? [`follows: ${basename(this.inUse) || 'none'}`] : [];
    const facts = [`id: delivery-${number}`, `asOf: ${new Date(asOfMs).toISOString()}`, ...follows, 'files:', ...files];
    writeFileSync(join(path, 'delivery.yaml'), `${facts.join('\n')}\n`);
    return path;
  }

  private get firstAccountRef(): string {
    return [...this.people.values()].flat()[0]?.account.ref ?? '';
  }

  private linesOf(part: Part, delivery: number): string[] {
    const customers = [...this.people];
    if (part === 'holders')
      return [
        ...customers.flatMap(([ref, accounts]) => accounts.map((one) => this.shape.holderLine(ref, one.account.ref))),
        // No delivery has the very files of another.
        this.shape.holderLine(`new-${delivery}`, this.firstAccountRef),
      ];
    if (part === 'party')
      return customers.flatMap(([ref, accounts]) => {
        const [person] = accounts.flatMap(({ party = [] }) => party);
        return person === undefined ? [] : [this.shape.recordLine('party', { customerRef: ref }, person)];
      });
    // An account of two customers stands in the files once.
    const accounts = new Map(customers.flatMap(([, truths]) => truths.map((truth) => [truth.account.ref, truth])));
    return [...accounts.values()].flatMap((truth) => this.shape.linesOf(part, truth));
  }
}
