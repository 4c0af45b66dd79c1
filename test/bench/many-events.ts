import { randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { dayOf, fileOf, segmentOf } from '../../src/trail/segment-names.js';

/** As the gateway has it. */
const eventsOfSegment = 100_000;
const [tpps, consents] = [40, 50_000];
const endpoints = ['accounts', 'balances', 'transactions', 'party', 'direct-debits', 'standing-orders'];
const permissions = [
  'ReadAccountsDetail',
  'ReadBalances',
  'ReadTransactionsDetail',
  'ReadParty',
  'ReadDirectDebits',
  'ReadStandingOrdersDetail',
];

/**
 * A day of requests as the gateway writes them, in closed segments of four instances.
 * @returns the interaction id in the middle
 */
export async function writeDay(folder: string, day: string, events: number): Promise<string> {
  const made = new ManyEvents(day, events);
  await mkdir(join(folder, day), { recursive: true });
  for (let first = 0; first < events; first += eventsOfSegment)
    await made.write(folder, 'closed', first, Math.min(eventsOfSegment, events - first));
  return made.middle;
}

/**
 * One more segment of the day, which a gateway still writes and which is nearly full.
 * @returns the interaction id in the middle
 */
export async function writeOpenSegment(folder: string, day: string): Promise<string> {
  const made = new ManyEvents(day, eventsOfSegment);
  await made.write(folder, 'open', 0, eventsOfSegment);
  return made.middle;
}

class ManyEvents {
  readonly middle = randomUUID();
  private readonly pseudonyms = Array.from({ length: consents }, () => `k3Yz.${randomBytes(16).toString('base64url')}`);
  private readonly consentIds = Array.from({ length: consents }, () => `aac-${randomUUID()}`);
  private readonly beganMs: number;
  private readonly stepMs: number;

  constructor(
    day: string,
    private readonly events: number,
  ) {
    this.beganMs = Date.parse(day);
    this.stepMs = 86_000_000 / events;
  }

  /** @param first the number of the first event */
  async write(folder: string, state: 'open' | 'closed', first: number, count: number): Promise<void> {
    const run = randomBytes(4).toString('hex');
    const instance = `gateway-${(first / eventsOfSegment) % 4}-${run}`;
    const segment = segmentOf(new Date(this.beganMs + Math.floor(first * this.stepMs)), instance);
    const line = (seq: number) =>
      `${JSON.stringify({ ...this.event(first + seq - 1), instance, release: '0.1.0', seq })}\n`;
    const lines = function* (): Generator<string> {
      for (let seq = 1; seq <= count; seq++) yield line(seq);
    };
    await pipeline(Readable.from(lines()), createWriteStream(join(folder, dayOf(segment), fileOf(segment, state))));
    if (state === 'open') return;
    // The tools index segments that have a root; no question checks its signature.
    const root = { segment, root: run, events: count, sequence: 1, previous: '', keyId: '', signature: '' };
    await writeFile(join(folder, dayOf(segment), fileOf(segment, 'root')), JSON.stringify(root));
  }

  private event(number: number): object {
    const consent = (number * 7_919) % consents;
    const place = number % endpoints.length;
    return {
      v: 1,
      kind: 'request',
      id: number === Math.floor(this.events / 2) ? this.middle : randomUUID(),

      at: new Date(this.beganMs + Math.floor(number * this.stepMs)).toISOString(),
      listener: 'api',
      method: 'GET',
      endpoint: endpoints[place],
      apiVersion: 'v3.1',
      issuer: 'https://as.bank.example',
      tpp: `tpp-${consent % tpps}`,
      consent: this.consentIds[consent],
      acr: 'urn:openbanking:psd2:sca',
      attended: number % 3 !== 0,
      customer: this.pseudonyms[consent],
      ...outcomeOf(number),
      facts: { authenticationAgeS: number % 7_776_000, windowS: 300, permissionsNeeded: [[permissions[place]]] },
    };
  }
}

function outcomeOf(number: number): object {
  const refusal = { error: 'reauthentication', refusedBy: 'authentication window', reason: 'window-closed' };
  if (number % 50 === 0) return { status: 403, firstByteMs: 1.2, lastByteMs: 1.3, bytes: 412, ...refusal };
  return {
    status: 200,
    firstByteMs: 20 + (number % 90),
    lastByteMs: 21.5 + (number % 90),
    bytes: 400 + ((number * 31) % 9_000),
    core: 'ledger',
    coreMs: 18 + (number % 88),
    rows: number % 40,
  };
}
