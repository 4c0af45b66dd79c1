import type { TLSSocket } from 'node:tls';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { mediaType } from '../open-banking/common-errors.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { RateLimit } from '../quotas/rate-limit.js';
import { LISTENERS_TLS, type ListenersTls } from '../security/tls/listeners-tls.js';
import { networkOfPeer } from '../security/source-address.js';
import { unauthorised } from '../security/tpp.check.js';
import { announcesBody } from '../server/headers.js';
import { BankCredentials } from './bank-credentials.js';

/**
 * Every caller under `/bank` proves that it is the bank: by its certificate, where the listener asks for one, and by its
 * credential.
 */
@Injectable()
export class BankCallerCheck {
  /** For each network address. */
  private readonly guesses = new RateLimit('wrong credentials', { perSecond: 1 / 6, burst: 10 });

  constructor(
    private readonly credentials: BankCredentials,
    @Inject(LISTENERS_TLS) private readonly tls: Pick<ListenersTls, 'bank'>,
  ) {}

  fault(request: FastifyRequest): OpenBankingError | undefined {
    return this.certificateFault(request) ?? this.credentialFault(request) ?? contentFault(request);
  }

  private certificateFault({ raw }: FastifyRequest): OpenBankingError | undefined {
    if (this.tls.bank?.asksForCertificates !== true) return undefined;
    const socket = raw.socket as TLSSocket;
    // A resumed connection counts as authorized although it showed no certificate.
    if (socket.authorized && socket.getPeerX509Certificate() !== undefined) return undefined;
    return unauthorised('no certificate of BANK_TLS_CLIENT_CA_FILE', 'certificate-missing');
  }

  private credentialFault({ headers, socket }: FastifyRequest): OpenBankingError | undefined {
    const credential = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (credential === undefined) return unauthorised(undefined, 'token-missing');
    // The limit never applies to the right credential: behind a proxy all callers have one address. A credential is too
    // long to be found by trying.
    if (this.credentials.accepts(credential)) return undefined;
    // An IPv6 address counts with its /64, because one caller can have every address in it.
    const { admitted, retryAfterSeconds } = this.guesses.take(networkOfPeer(socket.remoteAddress) ?? '');
    return admitted
      ? unauthorised('not the credential of the bank', 'credential-wrong')
      : tooManyGuesses(retryAfterSeconds);
  }
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
