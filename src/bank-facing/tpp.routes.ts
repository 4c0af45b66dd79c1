import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { AUTHORISATION_SERVER } from '../authorisation-server/embedded-authorisation-server.module.js';
import { TppEntry } from '../authorisation-server/tpps/tpp-entry.js';
import { TppWithdrawalService } from '../consents/tpp-withdrawal.service.js';
import { embeddedIssuer, tppId } from '../open-banking/tpp-id.js';
import { answer, clientId, reportErrors } from './bank-facing.schema.js';
import { Acts, secondNeededBy, secondPersonNeeded } from './cases/acts.js';
import { presentProposal } from './cases/case.mapper.js';
import { ProposalReport } from './cases/case.schema.js';
import { callerOf } from './callers.js';
import { operatorErrors, RegisteredTpp, RegisteredTpps } from './operator.schema.js';
import { presentTpp } from './tpp.mapper.js';

const secured = { tags: ['TPPs'] };
const { clientId: _inThePath, ...registered } = TppEntry.properties;
const TppRegistration = Type.Object(registered, { title: 'TppRegistration', additionalProperties: false });
const schemas = {
  list: {
    ...secured,
    operationId: 'listTpps',
    summary:
      'The TPPs that are registered here, and those that the bank has suspended or whose consents it has revoked',
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
    params: Type.Object({ clientId: clientId('Its client id.') }),
    body: TppRegistration,
    response: {
      200: answer('The TPP as it is now.', RegisteredTpp),
      202: answer(
        'With TWO_PERSONS=yes, where its metadata would change: another operator must approve it.',
        ProposalReport,
      ),
      ...reportErrors,
      ...operatorErrors,
    },
  },
};

type Registration = Static<typeof TppRegistration>;

/** Operators list TPPs, and register them at the embedded authorization server. */
@Injectable()
export class TppRoutes {
  constructor(
    private readonly withdrawals: TppWithdrawalService,
    private readonly acts: Acts,
    @Inject(AUTHORISATION_SERVER) private readonly embedded: AuthorisationServer | undefined,
  ) {}

  declare(bank: FastifyInstance): void {
    bank.get('/tpps', { schema: schemas.list }, async () => ({ Tpps: await this.list() }));
    bank.put<{ Params: { clientId: string }; Body: Registration }>(
      '/tpps/:clientId',
      { schema: schemas.register },
      (request, reply) => this.register(request, reply),
    );
  }

  private async list(): Promise<object[]> {
    const { embedded, withdrawals } = this;
    const [registered, decided] = await Promise.all([embedded?.tpps.list() ?? [], withdrawals.standingOfAll()]);
    const standings = new Map(decided.map(({ tpp, standing }) => [tpp.key, standing]));
    const here = registered.map((tpp) => ({ id: tppId(embeddedIssuer, tpp.clientId), tpp }));
    const keys = new Set(here.map(({ id }) => id.key));
    return [
      ...here.map(({ id, tpp }) => presentTpp(id, tpp, standings.get(id.key) ?? {})),
      ...decided
        .filter(({ tpp }) => !keys.has(tpp.key))
        .map(({ tpp, standing }) => presentTpp(tpp, undefined, standing)),
    ];
  }

  private async register(
    request: FastifyRequest<{ Params: { clientId: string }; Body: Registration }>,
    reply: FastifyReply,
  ): Promise<object> {
    const { acts } = this;
    const by = callerOf(request);
    const entry = { clientId: request.params.clientId, ...request.body };
    const id = tppId(embeddedIssuer, entry.clientId);
    const replaces = await acts.replacesMetadata(entry);
    if (entry.status === 'suspended' && acts.needTwoPersons)
      throw secondPersonNeeded('register the TPP without status, and suspend it by tpps suspend ID');
    request.context.tpp = id;
    if (replaces && acts.needTwoPersons) {
      const act = { kind: 'registration', scope: { kind: 'tpp', tpp: id }, entry } as const;
      const { proposal } = await acts.propose(act, secondNeededBy(by));
      return reply.status(202).send(presentProposal(proposal));
    }
    const tpp = await acts.register(entry, by);
    return presentTpp(id, tpp, await this.withdrawals.standing(id));
  }
}
