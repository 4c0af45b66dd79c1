import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EntryRow, ListName } from './ledger.records.js';

export const faults = ['none', 'slow', 'down', 'garbage', 'partial'] as const;
export type Fault = (typeof faults)[number];

export function isFault(value: unknown): value is Fault {
  return faults.some((fault) => fault === value);
}

/** How long a slow core takes: much longer than any caller waits. */
const slowMs = 30_000;

/** Invalid answers; each request gets the next one. */
const garbage: readonly { status: number; type: string; body: string }[] = [
  { status: 200, type: 'text/html; charset=utf-8', body: '<html><body><h1>Scheduled maintenance</h1></body></html>' },
  { status: 200, type: 'application/json', body: '{"acct":{"key":"A1","prod":"CUR100","ccy":"G' },
  {
    status: 200,
    type: 'application/json',
    body: '{"acct":7,"accts":"many","figures":null,"entries":{"0":"?"},"up":"perhaps"}',
  },
  {
    status: 500,
    type: 'text/html',
    body: '<html><body>java.lang.NullPointerException at Ledger.read(Ledger.java:42)</body></html>',
  },
  { status: 200, type: 'application/json', body: 'null' },
  { status: 200, type: 'application/json', body: '[]' },
  { status: 500, type: 'application/json', body: '{"fail":"ORA-00942: table or view does not exist"}' },
];

/** The present fault of the core's data paths. Health of the process and the admin paths never suffer. */
export class FaultState {
  current: Fault = 'none';
  private garbageSent = 0;

  /** A Fastify `onRequest` hook; under a fault it answers in the core's place, late, or never. */
  apply(request: FastifyRequest, reply: FastifyReply, goOn: () => void): void {
    switch (this.current) {
      case 'none':
      case 'partial':
        goOn();
        return;
      case 'down':
        reply.hijack();
        request.raw.socket.destroy();
        return;
      case 'slow':
        afterDelayOrClose(request, goOn);
        return;
      case 'garbage': {
        const answer = garbage[this.garbageSent++ % garbage.length] as (typeof garbage)[number];
        void reply.code(answer.status).type(answer.type).send(answer.body);
      }
    }
  }
}

function afterDelayOrClose(request: FastifyRequest, goOn: () => void): void {
  const { socket } = request.raw;
  const done = (): void => {
    clearTimeout(timer);
    socket.off('close', done);
    goOn();
  };
  const timer = setTimeout(done, slowMs);
  socket.once('close', done);
}

/** The field that is spoilt, by turns with a wrong type and without it. */
const spoilt: Readonly<Record<ListName | 'entries' | 'accts', string>> = {
  accts: 'prod',
  figures: 'at',
  entries: 'amt',
  promos: 'annBp',
  forwards: 'on',
  payees: 'payee',
  cycles: 'closed',
  mandates: 'mandate',
  orders: 'rule',
  terms: 'family',
};

/** Under the fault `partial` every third record cannot be read, the second of a list first: never all of a list. */
export function isSpoilt(index: number): boolean {
  return index % 3 === 1;
}

export function spoil(list: ListName | 'entries' | 'accts', row: object, index: number): object {
  // Entries sometimes lose the date, because the date orders them.
  const field = list === 'entries' && index % 2 === 0 ? dateField(row as EntryRow) : spoilt[list];
  return { ...row, [field]: index % 2 === 0 ? undefined : { not: 'readable' } };
}

function dateField(row: EntryRow): string {
  return row.state === 'HELD' ? 'made' : 'booked';
}
