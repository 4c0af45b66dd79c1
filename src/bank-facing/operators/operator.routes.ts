import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import { Clock } from '../../clock/clock.js';
import { roles } from '../../consents/cases/operator-roles.js';
import { wrongCredential } from '../../consents/consent-errors.js';
import { stored } from '../../consents/stored.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import { OpenBankingError } from '../../open-banking/errors.js';
import { bankErrorSchema } from '../bank-errors.js';
import { answer, readErrors, reportErrors } from '../bank-facing.schema.js';
import { callerOf, type BankCaller } from '../callers.js';
import { makeCredential, operatorName, type Operator } from './operator.policy.js';
import { OperatorStore } from './operator.store.js';

const name = Type.String({
  maxLength: 64,
  pattern: operatorName,
  description: 'Small letters, digits, and `-`, `_` or `.` between them. The trail names the operator by it.',
});
export const ListedOperator = Type.Object(
  {
    Name: Type.String(),
    Role: Type.String({ enum: [...roles], description: 'Each role may do all that the roles before it may.' }),
    AddedDateTime: Type.String({ format: 'date-time' }),
    AddedBy: Type.String({ description: '`operator:<name>`, or `bank` for the first admin.' }),
  },
  { title: 'Operator' },
);
export const Operators = Type.Object({ Operators: Type.Array(ListedOperator) }, { title: 'Operators' });
const NewOperator = Type.Object(
  { name, role: Type.String({ enum: [...roles] }) },
  { title: 'NewOperator', additionalProperties: false },
);
export const AddedOperator = Type.Object(
  {
    ...ListedOperator.properties,
    Credential: Type.String({ description: 'Shown once: the gateway keeps only a hash of it.' }),
  },
  { title: 'AddedOperator' },
);

const tags = ['Operators'];
const schemas = {
  list: {
    tags,
    operationId: 'listOperators',
    summary: 'The operators and their roles',
    response: { 200: answer('In the order of their names.', Operators), ...readErrors },
  },
  add: {
    tags,
    operationId: 'addOperator',
    summary: 'Add an operator',
    description:
      'Answers with the credential, which cannot be read again. While there is no admin, BANK_CREDENTIAL adds the first one, ' +
      'and no operator with another role.',
    body: NewOperator,
    response: { 201: answer('The operator and the credential.', AddedOperator), ...reportErrors },
  },
  remove: {
    tags,
    operationId: 'removeOperator',
    summary: 'Remove an operator',
    description: 'The credential is refused at once in every process. The last admin cannot be removed.',
    params: Type.Object({ name }),
    response: {
      200: answer('The operators that are left.', Operators),
      ...readErrors,
      404: answer('No operator has this name.', bankErrorSchema),
    },
  },
};

/** Admins add, list and remove operators. */
@Injectable()
export class OperatorRoutes {
  constructor(
    private readonly operators: OperatorStore,
    private readonly clock: Clock,
  ) {}

  declare(bank: FastifyInstance): void {
    bank.get('/operators', { schema: schemas.list }, () => this.list());
    bank.post<{ Body: Static<typeof NewOperator> }>('/operators', { schema: schemas.add }, async (request, reply) =>
      reply.status(201).send(await this.add(request)),
    );
    bank.delete<{ Params: { name: string } }>('/operators/:name', { schema: schemas.remove }, (request) =>
      this.remove(request),
    );
  }

  private async list(): Promise<object> {
    return { Operators: (await stored(this.operators.list())).map(present) };
  }

  private async add(request: FastifyRequest<{ Body: Static<typeof NewOperator> }>): Promise<object> {
    const { body } = request;
    const addedBy = callerOf(request);
    if (addedBy === 'bank' && body.role !== 'admin')
      throw new OpenBankingError('field-invalid', {
        message: 'The first operator must have the role admin, who then adds the others.',
        path: 'role',
      });
    const operator = { ...body, addedAt: new Date(this.clock.nowMs()), addedBy } as Operator;
    request.bankAct = { target: { operator: body.name } };
    const { credential, digest } = makeCredential(body.name);
    const outcome = await stored(this.operators.add(operator, digest));
    if (outcome === 'known')
      throw new OpenBankingError('field-invalid', { message: 'An operator has this name already.', path: 'name' });
    if (outcome === 'not-admin') throw notAdmin(addedBy);
    return { ...present(operator), Credential: credential };
  }

  private async remove(request: FastifyRequest<{ Params: { name: string } }>): Promise<object> {
    const { name: given } = request.params;
    request.bankAct = { target: { operator: given } };
    const by = callerOf(request);
    const outcome = await stored(this.operators.remove(given, by));
    if (outcome === 'not-admin') throw notAdmin(by);
    if (outcome === 'unknown') throw unknownOperator();
    if (outcome === 'last-admin')
      throw new OpenBankingError('field-invalid', {
        message: 'The last admin cannot be removed: add another admin first.',
        path: 'name',
      });
    return this.list();
  }
}

function present({ name: of, role, addedAt, addedBy }: Operator): Static<typeof ListedOperator> {
  return { Name: of, Role: role, AddedDateTime: formatDateTime(addedAt), AddedBy: addedBy };
}

/** The caller was an admin, or the bank without one, when the request arrived. */
function notAdmin(caller: BankCaller): OpenBankingError {
  if (caller !== 'bank') return wrongCredential();
  return new OpenBankingError(
    'token-scope',
    { message: 'There is an admin now, who adds the other operators.' },
    { reason: 'role-missing' },
  );
}

function unknownOperator(): OpenBankingError {
  return new OpenBankingError('path-unknown', { message: 'No operator has this name.' });
}
