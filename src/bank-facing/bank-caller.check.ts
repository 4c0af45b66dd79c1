import { hash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { mediaType } from '../open-banking/common-errors.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { RateLimit } from '../security/rate-limit.js';
import { equalSecrets } from '../security/equal-secrets.js';
import { LISTENERS_TLS, type ListenersTls } from '../security/tls/listeners-tls.js';
import { mayActAs } from '../consents/cases/operator-roles.js';
import { wrongCredential } from '../consents/consent-errors.js';
import { stored } from '../consents/stored.js';
import { networkOfPeer } from '../security/source-address.js';
import { unauthorised } from '../security/tpp.check.js';
import { announcesBody } from '../server/headers.js';
import type { BankCaller, Callers } from './callers.js';
import { actorOf, isSecretOf, readCredential, type Operator } from './operators/operator.policy.js';
import { OperatorStore } from './operators/operator.store.js';

/**
 * Every caller under `/bank` proves that it is the bank or one of its operators: by its certificate, where the listener asks
 * for one, and by its credential. The callers of the operation decide whether it may go on.
 */
@Injectable()
export class BankCallerCheck {
  /** For each network address. */
  private readonly guesses = new RateLimit('wrong credentials', { perSecond: 1 / 6, burst: 10 });

  /**
   * Digests of operators' credentials that were right in this process: beyond the limit the database is asked about these
   * alone.
   */
  private readonly right = new LRUCache<string, true>({ max: 1_000 });

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'bankCredentials'>,
    private readonly operators: OperatorStore,
    @Inject(LISTENERS_TLS) private readonly tls: Pick<ListenersTls, 'bank'>,
  ) {}

  /** @throws OpenBankingError where the database cannot say whether the caller is an operator */
  async fault(request: FastifyRequest): Promise<OpenBankingError | undefined> {
    return this.certificateFault(request) ?? (await this.callerFault(request)) ?? contentFault(request);
  }

  /** After the body, which may take half a minute: the operator may have been removed meanwhile. */
  readonly checkAfterBody = async (request: FastifyRequest): Promise<void> => {
    const fault = announcesBody(request.headers) ? await this.callerFault(request) : undefined;
    if (fault !== undefined) throw fault;
  };

  private certificateFault({ raw }: FastifyRequest): OpenBankingError | undefined {
    if (this.tls.bank?.asksForCertificates !== true) return undefined;
    const socket = raw.socket as TLSSocket;
    // A resumed connection counts as authorized although it showed no certificate.
    if (socket.authorized && socket.getPeerX509Certificate() !== undefined) return undefined;
    return unauthorised('no certificate of BANK_TLS_CLIENT_CA_FILE', 'certificate-missing');
  }

  /** Sets `bankCaller`. */
  private async callerFault(request: FastifyRequest): Promise<OpenBankingError | undefined> {
    const { headers, socket } = request;
    const { callers } = request.routeOptions.config;
    const credential = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (credential === undefined) return unauthorised(undefined, 'token-missing');
    // The limit does not apply to the right credential: behind a proxy all callers have one address. A credential is too
    // long to be found by trying.
    if (this.isOfBank(credential)) {
      recognise(request, 'bank');
      return callers && (await this.faultOfBank(callers));
    }
    // An IPv6 address counts with its /64, because one caller can have every address in it.
    const source = networkOfPeer(socket.remoteAddress) ?? '';
    const { admitted, retryAfterSeconds } = this.guesses.take(source);
    const digest = hash('sha256', credential);
    const operator = admitted || this.right.has(digest) ? await this.operatorWith(credential) : undefined;
    if (operator !== undefined) {
      this.right.set(digest, true);
      if (admitted) this.guesses.giveBack(source);
      recognise(request, actorOf(operator));
      request.bankRole = operator.role;
      return callers && faultOfOperator(callers, operator);
    }
    return admitted ? wrongCredential() : tooManyGuesses(retryAfterSeconds);
  }

  /** Several are valid while the bank changes from one to the next. */
  private isOfBank(credential: string): boolean {
    return this.config.bankCredentials.map((one) => equalSecrets(credential, one)).includes(true);
  }

  private async operatorWith(credential: string): Promise<Operator | undefined> {
    const { name, secret } = readCredential(credential) ?? {};
    if (name === undefined || secret === undefined) return undefined;
    const found = await stored(this.operators.find(name));
    return found !== undefined && isSecretOf(found.digest, secret) ? found.operator : undefined;
  }

  private async faultOfBank({ bank }: Callers): Promise<OpenBankingError | undefined> {
    if (bank === 'always' || (bank === 'until-admin' && !(await stored(this.operators.hasAdmin())))) return undefined;
    return mayNot(
      'BANK_CREDENTIAL is for the systems of the bank: use the credential of an operator, in a command OPERATOR_CREDENTIAL.',
    );
  }
}

function recognise(request: FastifyRequest, caller: BankCaller): void {
  request.bankCaller = caller;
  Object.assign(request.context, { by: caller, isProven: true });
}

function faultOfOperator({ role }: Callers, operator: Operator): OpenBankingError | undefined {
  if (role === undefined) return mayNot('Only the systems of the bank may do this, with BANK_CREDENTIAL.');
  if (mayActAs(role, operator.role)) return undefined;
  return mayNot(`This needs the role ${role}, and the operator ${operator.name} has the role ${operator.role}.`);
}

function mayNot(message: string): OpenBankingError {
  return new OpenBankingError('token-scope', { message }, { reason: 'role-missing' });
}

function tooManyGuesses(seconds: number): OpenBankingError {
  return new OpenBankingError(
    'too-many-requests',
    { message: `This credential is wrong, and too many wrong ones came from this address: wait ${seconds} seconds.` },
    { headers: { 'retry-after': String(seconds) }, reason: 'credential-guesses' },
  );
}

/** A body without a type, which Fastify would ignore. */
function contentFault({ method, headers }: FastifyRequest): OpenBankingError | undefined {
  return method !== 'GET' && headers['content-type'] === undefined && announcesBody(headers) ? mediaType() : undefined;
}
