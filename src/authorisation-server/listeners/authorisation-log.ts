import { Inject, Injectable } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { faultRecord } from '../../observability/fault-record.js';
import { LOG } from '../../observability/log.js';

interface SignedIn {
  readonly method: string;
  readonly acr: string;
  readonly authenticatedAt: Date;
}

/** The authorization server's log, in addition to its access records. */
@Injectable()
export class AuthorisationLog {
  constructor(@Inject(LOG) private readonly log: FastifyBaseLogger) {}

  /** For a fault that the caller did not cause. */
  readonly fault = (error: unknown): void =>
    this.log.error(faultRecord(error), 'the authorization server failed a request');

  /** How, but not who: so that the bank can show how strongly its customers were authenticated. */
  signedIn(purpose: string, { method, acr, authenticatedAt }: SignedIn): void {
    this.log.info(
      { purpose, method, acr, authenticatedAt: authenticatedAt.toISOString() },
      'a customer was authenticated',
    );
  }

  readonly silentDirectory = (softwareId: string, error: unknown): void =>
    this.log.warn(
      { softwareId, ...faultRecord(error) },
      'the directory did not answer about a TPP; the TPP keeps its status',
    );

  readonly unusableStatement = (softwareId: string, error: unknown): void =>
    this.log.warn(
      { softwareId, ...faultRecord(error) },
      'the directory’s answer about a TPP cannot be used; the TPP keeps its status',
    );

  readonly periodicWork = (error: unknown): void =>
    this.log.error(
      faultRecord(error),
      'a part of the periodic work of the authorization server failed; the gateway tries again in a minute',
    );

  readonly unwrittenUses = (error: unknown): void =>
    this.log.error(faultRecord(error), 'the times at which access was last used could not be written');

  unknownSources(): void {
    this.log.warn('sign-ins are not limited by source address: name the proxies in SIGN_IN_PROXIES');
  }
}
