import type { FastifyBaseLogger } from 'fastify';
import { faultRecord } from '../../observability/fault-record.js';

/** The authorization server's log, beside its access records. */
export class AuthorisationLog {
  constructor(private readonly log: FastifyBaseLogger) {}

  /** Something failed that is not the caller's doing. */
  readonly fault = (error: unknown): void =>
    this.log.error(faultRecord(error), 'the authorization server failed a request');

  readonly silentDirectory = (softwareId: string, error: unknown): void =>
    this.log.warn({ softwareId, ...faultRecord(error) }, 'the directory says nothing of a TPP; it stays as it is');

  readonly noLogo = (clientId: string, error: Error): void =>
    this.log.warn(
      { clientId, ...faultRecord(error) },
      'the logo of a TPP cannot be had; it is shown without, and tried again in an hour',
    );

  readonly noLogos = (error: unknown): void =>
    this.log.error(faultRecord(error), 'the logos of TPPs could not be fetched; it is tried again');

  readonly periodicWork = (error: unknown): void =>
    this.log.error(faultRecord(error), 'the periodic work of the authorization server failed; it is tried again');

  readonly unwrittenUses = (error: unknown): void =>
    this.log.error(faultRecord(error), 'when access was last used could not be written');

  unknownSources(): void {
    this.log.warn('sign-ins are not limited by source address: name the proxies in SIGN_IN_PROXIES');
  }
}
