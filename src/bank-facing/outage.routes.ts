import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Type, type Static } from 'typebox';
import { formatDateTime } from '../open-banking/date-times.js';
import { mostTextLength, type PlannedOutage } from '../outages/planned-outage.js';
import { PlannedOutages } from '../outages/planned-outages.js';
import { callerOf } from './callers.js';
import { answer, dateTime, printable, readErrors, ref, reportErrors } from './bank-facing.schema.js';
import { instantOf } from './stated-instant.js';

const secured = { tags: ['Outages'] };
const stated = (description: string) => Type.String({ maxLength: 100, description });

export const Outage = Type.Object(
  {
    OutageId: Type.String(),
    FromDateTime: dateTime('When it begins.'),
    ToDateTime: dateTime('When it ends.'),
    Text: Type.String({ description: 'As TPPs read it.' }),
  },
  { title: 'Outage' },
);
export const Outages = Type.Object({ Outages: Type.Array(Outage) }, { title: 'Outages' });
export const NewOutage = Type.Object(
  {
    from: stated('An ISO 8601 date-time, not in the past; without a zone it is UTC.'),
    to: stated('An ISO 8601 date-time after `from`, at most 366 days from now.'),
    text: Type.String({
      minLength: 1,
      maxLength: mostTextLength,
      pattern: printable,
      description: 'For TPPs, in one line: no customer’s data, and no names of the bank’s systems.',
    }),
  },
  { title: 'NewOutage', additionalProperties: false },
);
const schemas = {
  list: {
    ...secured,
    operationId: 'listOutages',
    summary: 'The planned outages',
    response: { 200: answer('The latest 100, the last one first; ended ones too.', Outages), ...readErrors },
  },
  plan: {
    ...secured,
    operationId: 'planOutage',
    summary: 'Plan an outage',
    description: 'TPPs see it at once. It may not overlap another.',
    body: NewOutage,
    response: { 200: answer('The outage.', Outage), ...reportErrors },
  },
  remove: {
    ...secured,
    operationId: 'removeOutage',
    summary: 'Remove a planned outage that has not begun',
    description: 'An outage that has begun cannot be removed.',
    params: Type.Object({ outageId: ref('Its id.') }),
    response: { 200: answer('The outage that was removed.', Outage), ...readErrors },
  },
};

/** Operators plan outages here. */
@Injectable()
export class OutageRoutes {
  constructor(private readonly outages: PlannedOutages) {}

  declare(bank: FastifyInstance): void {
    const { outages } = this;
    bank.get('/outages', { schema: schemas.list }, async () => ({ Outages: (await outages.latest()).map(present) }));
    bank.post<{ Body: Static<typeof NewOutage> }>('/outages', { schema: schemas.plan }, async (request) => {
      const { from, to, text } = request.body;
      const outage = { fromMs: instantOf('from', from), toMs: instantOf('to', to), text };
      return present(await outages.plan(outage, callerOf(request)));
    });
    bank.delete<{ Params: { outageId: string } }>('/outages/:outageId', { schema: schemas.remove }, async (request) =>
      present(await outages.remove(request.params.outageId, callerOf(request))),
    );
  }
}

function present({ id, fromMs, toMs, text }: PlannedOutage): Static<typeof Outage> {
  return {
    OutageId: id,
    FromDateTime: formatDateTime(new Date(fromMs)),
    ToDateTime: formatDateTime(new Date(toMs)),
    Text: text,
  };
}
