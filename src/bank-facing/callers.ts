import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import { BootError } from '../config/boot-error.js';
import type { OperatorActor } from '../consents/cases/withdrawal.js';
import type { OperatorEvent } from '../trail/operator-event.js';
import { roles, type Role } from '../consents/cases/operator-roles.js';

/** A caller whose credential is right, as the trail names it. */
export type BankCaller = 'bank' | OperatorActor;

/** The callers of one operation of the bank's port. */
export interface Callers {
  /**
   * Whether the bank's systems may call it by BANK_CREDENTIAL: `until-admin` only while no operator with the role admin
   * exists.
   */
  readonly bank: 'always' | 'until-admin' | 'never';
  /** The least role of an operator who may call it; absent where no operator may. */
  readonly role?: Role;
}

const bankAlone: Callers = { bank: 'always' };
const everyReader: Callers = { bank: 'always', role: 'read' };
const operate: Callers = { bank: 'until-admin', role: 'operate' };
const admin: Callers = { bank: 'until-admin', role: 'admin' };

/** The callers of each operation below `/bank`, in this one place. A route that is missing here stops the boot. */
const callersByOperation: Readonly<Record<string, Callers>> = {
  readConsent: everyReader,
  listConsents: everyReader,
  beginAuthorisation: bankAlone,
  authoriseConsent: bankAlone,
  rejectConsent: bankAlone,
  revokeConsent: bankAlone,
  removeAccount: bankAlone,
  reauthenticate: bankAlone,

  explainDecision: everyReader,

  listOutages: everyReader,
  planOutage: operate,
  removeOutage: operate,

  listTpps: everyReader,
  registerTpp: operate,
  suspendTpp: operate,
  reinstateTpp: operate,
  revokeConsentsOfTpp: operate,
  rotateSigningKeys: operate,
  unlockSignIn: operate,

  listOperators: admin,
  addOperator: admin,
  findConsents: { bank: 'never', role: 'read' },
  readTimeline: { bank: 'never', role: 'read' },
  withdrawConsents: { bank: 'never', role: 'withdraw' },
  listProposals: { bank: 'never', role: 'withdraw' },
  approveProposal: { bank: 'never', role: 'withdraw' },

  removeOperator: { bank: 'never', role: 'admin' },
};

/**
 * Gives each route that is declared from now on its callers, for the check and for the document.
 * @throws BootError for a route whose operation is not in the list
 */
export function declareCallers(routes: FastifyInstance): void {
  routes.addHook('onRoute', (route) => {
    const schema = (route.schema ?? {}) as FastifySchema & { operationId?: string };
    // The routes that answer 405 change nothing and reveal nothing: any known caller may see them.
    if (schema.hide === true) return;
    const { operationId = '' } = schema;
    const callers = Object.hasOwn(callersByOperation, operationId) ? callersByOperation[operationId] : undefined;
    if (callers === undefined)
      throw new BootError(
        `the route ${String(route.method)} ${route.url} declares no callers: add its operation to src/bank-facing/callers.ts`,
      );
    route.config = { ...route.config, callers };
    route.schema = { ...schema, security: securityOf(callers) };
  });
}

/** As OpenAPI 3.1 names it: one of the entries is enough. The names of an entry's list are roles. */
function securityOf({ bank, role }: Callers): { [scheme: string]: string[] }[] {
  return [
    ...(bank === 'never' ? [] : [{ bankCredential: [] }]),
    ...(role === undefined ? [] : [{ operatorCredential: roles.slice(roles.indexOf(role)) }]),
  ];
}

/** @throws Error for a caller who is not an operator, whom the check of callers has refused */
export function operatorOf(request: Pick<FastifyRequest, 'bankCaller'>): OperatorActor {
  const caller = callerOf(request);
  if (caller === 'bank') throw new Error('the caller of the bank’s port is not an operator');
  return caller;
}

/** @throws Error for a request that passed no check of its caller */
export function callerOf({ bankCaller }: Pick<FastifyRequest, 'bankCaller'>): BankCaller {
  if (bankCaller === undefined) throw new Error('the caller of the bank’s port was not checked');
  return bankCaller;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    callers?: Callers;
  }
  interface FastifyRequest {
    /** At the bank's port: the caller, once the credential was found right. */
    bankCaller: BankCaller | undefined;
    /** The role of an operator who calls. */
    bankRole: Role | undefined;
    /** The members of an act's event that its path does not state. */
    bankAct: Pick<Partial<OperatorEvent>, 'target' | 'count' | 'reason'> | undefined;
  }
}
