import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Type, type Static } from 'typebox';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { AUTHORISATION_SERVER } from '../authorisation-server/embedded-authorisation-server.module.js';
import { TppEntry } from '../authorisation-server/tpps/tpp-entry.js';
import { TppWithdrawalService } from '../consents/tpp-withdrawal.service.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { answer, reportErrors } from './bank-facing.dto.js';
import { embeddedServer, operatorErrors, RegisteredTpp, RegisteredTpps } from './operator.dto.js';
import { presentTpp } from './tpp.mapper.js';

const secured = { tags: ['TPPs'], security: [{ bankCredential: [] }] };
const { clientId: _inThePath, ...registered } = TppEntry.properties;
const TppRegistration = Type.Object(registered, { title: 'TppRegistration', additionalProperties: false });
const schemas = {
  list: {
    ...secured,
    operationId: 'listTpps',
    summary: 'The TPPs that are registered here, and those of which the bank decided something',
    response: {
      200: answer('In the order of their client ids, those that are registered here first.', RegisteredTpps),
      ...operatorErrors,
    },
  },
  register: {
    ...secured,
    operationId: 'registerTpp',
    summary: 'Register a TPP, or change its registration',
    description: 'One that is suspended stays suspended.',
    params: Type.Object({ clientId: Type.String() }),
    body: TppRegistration,
    response: { 200: answer('The TPP as it is now.', RegisteredTpp), ...reportErrors, ...operatorErrors },
  },
};

type Registration = Static<typeof TppRegistration>;

/** Operators list TPPs, and register them at the embedded authorization server. */
@Injectable()
export class TppRoutes {
  constructor(
    private readonly withdrawals: TppWithdrawalService,
    @Inject(AUTHORISATION_SERVER) private readonly embedded: AuthorisationServer | undefined,
  ) {}

  declare(bank: FastifyInstance): void {
    bank.get('/tpps', { schema: schemas.list }, async () => ({ Tpps: await this.list() }));
    bank.put<{ Params: { clientId: string }; Body: Registration }>(
      '/tpps/:clientId',
      { schema: schemas.register },
      ({ params, body }) => this.register(params.clientId, body),
    );
  }

  private async list(): Promise<object[]> {
    const { embedded, withdrawals } = this;
    const [registered, standings] = await Promise.all([embedded?.tpps.list() ?? [], withdrawals.standingOfAll()]);
    const ids = new Set(registered.map(({ clientId }) => clientId));
    return [
      ...registered.map((tpp) => presentTpp(tpp.clientId, tpp, standings.get(tpp.clientId) ?? {})),
      ...[...standings]
        .filter(([clientId]) => !ids.has(clientId))
        .map(([clientId, standing]) => presentTpp(clientId, undefined, standing)),
    ];
  }

  private async register(clientId: string, registration: Registration): Promise<object> {
    const { registry } = embeddedServer(this.embedded);
    const entry = { clientId, ...registration };
    const fault = await registry.faultOfEntry(entry);
    if (fault !== undefined)
      throw new OpenBankingError('field-invalid', { message: fault, path: /^[\w.[\]]*/.exec(fault)?.[0] ?? '' });
    const tpp = await registry.put(entry);
    if (entry.status === 'suspended') await this.withdrawals.suspend(clientId);
    return presentTpp(clientId, tpp, await this.withdrawals.standing(clientId));
  }
}
