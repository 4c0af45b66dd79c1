import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import Value from 'typebox/value';
import { bearerOnly, member } from './bearer.js';
import { debtorOf } from './debtor.js';
import { isFault } from './faults.js';
import type { FaultState } from './faults.js';
import { defaultTokenLifeSeconds, issuerAlgorithms } from './issuer.js';
import type { Issuer } from './issuer.js';
import type { Ledger } from './ledger-accounts.js';
import { productNames } from './ledger.records.js';
import type { OtherCores } from './other-core.js';
import type { Persona } from './personas/persona.js';
import { signOnOf } from './sign-on.js';

/** The parts of the sandbox that its staff see and change. */
export interface StaffParts {
  readonly personas: readonly Persona[];
  readonly ledger: Ledger;
  readonly fault: FaultState;
  readonly issuer: Issuer;
  readonly otherCores: OtherCores | undefined;
}

/** For the holder of the sandbox credential: the personas, an account's state, faults of the core, and tokens. */
export function staffPaths({ personas, ledger, fault, issuer, otherCores }: StaffParts, credential: string) {
  const described = async (persona: Persona) =>
    otherCores === undefined
      ? withStates(persona, ledger)
      : { ...describePersona(persona), ...(await otherCores.accountsOf(persona)) };
  return (staff: FastifyInstance, _: object, done: () => void): void => {
    staff.addHook('onRequest', bearerOnly(credential, 'sandbox'));
    staff.get('/admin/personas', async () => ({ personas: await Promise.all(personas.map(described)) }));
    staff.get('/admin/fault', () => ({ fault: fault.current }));
    if (otherCores === undefined) {
      accountStatePath(staff, ledger);
      faultPath(staff, fault);
    } else refuseChanges(staff);
    tokenPath(staff, issuer);
    done();
  };
}

function accountStatePath(staff: FastifyInstance, ledger: Ledger): void {
  staff.put<{ Params: { acct: string }; Body: unknown }>('/admin/accounts/:acct/state', (request, reply) => {
    const account = ledger.account(request.params.acct);
    const state = member(request.body, 'state');
    if (account === undefined) return reply.code(404).send({ error: `there is no account ${request.params.acct}` });
    if (state !== 'valid' && state !== 'not-permitted') return refuse(reply, 'state is valid or not-permitted');
    account.setState(state);
    return { ref: account.acct.key, state };
  });
}

/** Another core than the sandbox's is not the sandbox's to change. */
function refuseChanges(staff: FastifyInstance): void {
  for (const path of ['/admin/accounts/:acct/state', '/admin/fault'])
    staff.put(path, (_request, reply) =>
      reply.code(409).send({ error: 'the sandbox changes its own core only: make this change at the core itself' }),
    );
}

function faultPath(staff: FastifyInstance, fault: FaultState): void {
  staff.put<{ Body: unknown }>('/admin/fault', (request, reply) => {
    const wanted = member(request.body, 'fault');
    if (!isFault(wanted)) return refuse(reply, 'fault must be none, slow, down, garbage or partial');
    fault.current = wanted;
    return { fault: wanted };
  });
}

const tokenSchema = Type.Object({
  client_id: Type.String({ minLength: 1 }),
  consent_id: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
  alg: Type.Optional(Type.Enum([...issuerAlgorithms])),
  cnf: Type.Optional(Type.Record(Type.String(), Type.String())),
  expires_in: Type.Optional(Type.Integer()),
});

function tokenPath(staff: FastifyInstance, issuer: Issuer): void {
  staff.post<{ Body: unknown }>('/issuer/tokens', async (request, reply) => {
    const { body } = request;
    if (!Value.Check(tokenSchema, body))
      return refuse(
        reply,
        'a token needs client_id; consent_id, scope, alg (PS256, ES256), cnf and expires_in are optional',
      );
    const { client_id: clientId, consent_id: consentId, expires_in = defaultTokenLifeSeconds, ...more } = body;
    const access_token = await issuer.mint({ ...more, clientId, consentId, expiresInSeconds: expires_in });
    return reply
      .code(201)
      .header('cache-control', 'no-store')
      .send({ access_token, token_type: 'Bearer', expires_in, scope: body.scope ?? 'accounts' });
  });
}

function withStates(persona: Persona, ledger: Ledger) {
  const described = describePersona(persona);
  const accounts = described.accounts.map((account) => {
    const state = ledger.account(account.ref)?.state;
    return state === 'valid' ? account : { ...account, state };
  });
  return { ...described, accounts };
}

export function describePersona(persona: Persona) {
  return {
    name: persona.name,
    displayName: persona.person.name.trim(),
    customerRef: persona.person.key,
    ...(persona.refs && { customerRefs: persona.refs }),
    ...signOnOf(persona),
    accounts: persona.accounts.map(({ acct }) => {
      const debtor = debtorOf({ currency: acct.ccy, sortCode: acct.sort, accountNumber: acct.num, iban: acct.iban });
      return { ref: acct.key, product: productNames[acct.prod], ...(debtor && { debtor }) };
    }),
    shows: persona.shows,
  };
}

function refuse(reply: FastifyReply, error: string): FastifyReply {
  return reply.code(400).send({ error });
}
