import { randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
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
  await mkdir(join(folder, day), { recursive: true });
  const pseudonyms = Array.from({ length: consents }, () => `k3Yz.${randomBytes(16).toString('base64url')}`);
  const consentIds = Array.from({ length: consents }, () => `aac-${randomUUID()}`);
  const middle = randomUUID();
  const beganMs = Date.parse(day);
  const stepMs = 86_000_000 / events;
  for (let first = 0; first < events; first += eventsOfSegment) {
    const instance = `gateway-${(first / eventsOfSegment) % 4}-${first.toString(16).padStart(8, '0')}`;
    const segment = segmentOf(new Date(beganMs + Math.floor(first * stepMs)), instance);
    const lines = function* (): Generator<string> {
      for (let seq = 1; seq <= Math.min(eventsOfSegment, events - first); seq++) {
        const number = first + seq - 1;
        const id = number === Math.floor(events / 2) ? middle : randomUUID();
        const at = new Date(beganMs + Math.floor(number * stepMs)).toISOString();
        const consent = (number * 7_919) % consents;
        const place = number % endpoints.length;
        const members = {
          ...{ v: 1, kind: 'request', id, at, instance, release: '0.1.0', seq, listener: 'api', method: 'GET' },
          ...{
            endpoint: endpoints[place],
            apiVersion: 'v3.1',
            issuer: 'https://as.bank.example',
            tpp: `tpp-${consent % tpps}`,
          },
          ...{
            consent: consentIds[consent],
            acr: 'urn:openbanking:psd2:sca',
            attended: number % 3 !== 0,
            customer: pseudonyms[consent],
          },
        };
        const refused = number % 50 === 0;
        yield `${JSON.stringify({
          ...members,
          ...(refused
            ? {
                status: 403,
                firstByteMs: 1.2,
                lastByteMs: 1.3,
                bytes: 412,
                error: 'reauthentication',
                refusedBy: 'authentication window',
                reason: 'window-closed',
              }
            : {
                status: 200,
                firstByteMs: 20 + (number % 90),
                lastByteMs: 21.5 + (number % 90),
                bytes: 400 + ((number * 31) % 9_000),
                core: 'ledger',
                coreMs: 18 + (number % 88),
                rows: number % 40,
              }),
          saw: { authenticationAgeS: number % 7_776_000, windowS: 300, permissionsNeeded: [[permissions[place]]] },
        })}\n`;
      }
    };
    await pipeline(Readable.from(lines()), createWriteStream(join(folder, dayOf(segment), fileOf(segment, 'closed'))));
  }
  return middle;
}
