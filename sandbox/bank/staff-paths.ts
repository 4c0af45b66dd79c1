import type { FastifyInstance, FastifyReply } from 'fastify';
import { bearerOnly, member } from './bearer.js';
import { isFault } from './faults.js';
import type { FaultState } from './faults.js';
import { defaultTokenLifeSeconds, issuerAlgorithms } from './issuer.js';
import type { Issuer, TokenRequest } from './issuer.js';
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

function tokenPath(staff: FastifyInstance, issuer: Issuer): void {
  staff.post<{ Body: unknown }>('/issuer/tokens', async (request, reply) => {
    const wanted = tokenRequest(request.body);
    if (wanted === undefined) {
      return refuse(
        reply,
        'a token needs client_id; consent_id, scope, alg (PS256, ES256), cnf and expires_in are optional',
      );
    }
    const access_token = await issuer.mint(wanted);
    const expires_in = wanted.expiresInSeconds ?? defaultTokenLifeSeconds;
    return reply
      .code(201)
      .header('cache-control', 'no-store')
      .send({ access_token, token_type: 'Bearer', expires_in, scope: wanted.scope ?? 'accounts' });
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
    accounts: persona.accounts.map(({ acct }) => ({ ref: acct.key, product: productNames[acct.prod] })),
    shows: persona.shows,
  };
}

function tokenRequest(body: unknown): TokenRequest | undefined {
  const clientId = member(body, 'client_id');
  const consentId = member(body, 'consent_id');
  const scope = member(body, 'scope');
  const alg = member(body, 'alg');
  const cnf = member(body, 'cnf');
  const expiresInSeconds = member(body, 'expires_in');
  const knownAlg = issuerAlgorithms.find((known) => known === alg);
  if (typeof clientId !== 'string' || clientId === '') return undefined;
  if (consentId !== undefined && typeof consentId !== 'string') return undefined;
  if (scope !== undefined && typeof scope !== 'string') return undefined;
  if (alg !== undefined && knownAlg === undefined) return undefined;
  if (expiresInSeconds !== undefined && !Number.isInteger(expiresInSeconds)) return undefined;
  if (cnf !== undefined && (typeof cnf !== 'object' || cnf === null)) return undefined;
  return {
    clientId,
    consentId,
    scope,
    alg: knownAlg,
    cnf: cnf as Record<string, string> | undefined,
    expiresInSeconds: expiresInSeconds as number | undefined,
  };
}

function refuse(reply: FastifyReply, error: string): FastifyReply {
  return reply.code(400).send({ error });
}
