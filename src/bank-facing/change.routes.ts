import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Type, type Static } from 'typebox';
import { formatDateTime } from '../open-banking/date-times.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { changeKinds, type AnnouncedChange } from '../outages/announced-change.js';
import { AnnouncedChanges } from '../outages/announced-changes.js';
import { mostTextLength } from '../outages/planned-outage.js';
import { isHttpsUrl } from '../security/stated-url.policy.js';
import { answer, dateTime, printable, readErrors, reportErrors } from './bank-facing.schema.js';
import { instantOf } from './stated-instant.js';

const secured = { tags: ['Changes'] };
const Kind = Type.Enum([...changeKinds], {
  description: 'CERTIFICATES: the bank’s certificates or keys, or the authorities that it accepts.',
});
const Change = Type.Object(
  {
    ChangeId: Type.String(),
    FromDateTime: dateTime('When it takes effect.'),
    Kind,
    Text: Type.String({ description: 'As TPPs read it.' }),
    Link: Type.Optional(Type.String({ description: 'An https address with more about it.' })),
  },
  { title: 'Change' },
);
const NewChange = Type.Object(
  {
    from: Type.String({
      maxLength: 100,
      description: 'An ISO 8601 date-time, at most 30 days ago; without a zone it is UTC.',
    }),
    kind: Kind,
    text: Type.String({
      minLength: 1,
      maxLength: mostTextLength,
      pattern: printable,
      description: 'For TPPs, in one line: no customer’s data, and no names of the bank’s systems.',
    }),
    link: Type.Optional(Type.String({ maxLength: 500, description: 'An https address with more about it.' })),
  },
  { title: 'NewChange', additionalProperties: false },
);
const schemas = {
  list: {
    ...secured,
    operationId: 'listChanges',
    summary: 'The announced changes of the interface',
    response: {
      200: answer(
        'The latest 100, the last one first; those that TPPs no longer see too.',
        Type.Object({ Changes: Type.Array(Change) }, { title: 'Changes' }),
      ),
      ...readErrors,
    },
  },
  announce: {
    ...secured,
    operationId: 'announceChange',
    summary: 'Announce a change of the interface',
    description: 'TPPs see it at once, and until 30 days after it took effect.',
    body: NewChange,
    response: { 200: answer('The change.', Change), ...reportErrors },
  },
  remove: {
    ...secured,
    operationId: 'removeChange',
    summary: 'Remove an announced change',
    params: Type.Object({ changeId: Type.String() }),
    response: { 200: answer('The change that was removed.', Change), ...readErrors },
  },
};

/** Operators announce the changes of the interface that TPPs must know in advance. */
@Injectable()
export class ChangeRoutes {
  constructor(private readonly changes: AnnouncedChanges) {}

  declare(bank: FastifyInstance): void {
    const { changes } = this;
    bank.get('/changes', { schema: schemas.list }, async () => ({ Changes: (await changes.latest()).map(present) }));
    bank.post<{ Body: Static<typeof NewChange> }>('/changes', { schema: schemas.announce }, async ({ body }) => {
      const { from, kind, text, link } = body;
      if (link !== undefined && !isHttpsUrl(link))
        throw new OpenBankingError('field-invalid', { message: 'link is not an https address.', path: 'link' });
      const change = { fromMs: instantOf('from', from), kind, text, ...(link !== undefined && { link }) };
      return present(await changes.announce(change));
    });
    bank.delete<{ Params: { changeId: string } }>('/changes/:changeId', { schema: schemas.remove }, async (request) =>
      present(await changes.remove(request.params.changeId)),
    );
  }
}

function present({ id, fromMs, kind, text, link }: AnnouncedChange): Static<typeof Change> {
  return {
    ChangeId: id,
    FromDateTime: formatDateTime(new Date(fromMs)),
    Kind: kind,
    Text: text,
    ...(link !== undefined && { Link: link }),
  };
}
