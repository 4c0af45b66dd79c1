import { Inject, Injectable } from '@nestjs/common';
import { DirectoryClient } from '../../security/directory.client.js';
import { DocumentUnavailable } from '../../security/tpp-document.client.js';
import { IssuerUnreachable } from '../../security/tokens/token-issuer.js';
import { embeddedIssuer } from '../../open-banking/tpp-id.js';
import { Trail } from '../../trail/trail.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { RegistrationRefused } from './registration-request.js';
import { Registration } from './registration.js';
import { TppStore, type Tpp } from './tpp.store.js';

/** The time between two questions to the directory about a TPP. */
const everyMs = 5 * 60_000;

/**
 * Asks the directory of the TPPs whose turn it is, so that one that lost its role or its software statement can do nothing
 * from then on, and again can when the directory states it again. It does not ask at each use, so that the bank's TPPs go
 * on while the directory is away; then it asks for one TPP a turn. Several processes share the work.
 */
@Injectable()
export class StatementWatch {
  constructor(
    private readonly tpps: TppStore,
    private readonly settings: AuthorisationSettings,
    private readonly log: AuthorisationLog,
    private readonly trail: Trail,
    @Inject(DirectoryClient) private readonly directory: DirectoryClient | undefined,
    @Inject(Registration) private readonly registration: Registration | undefined,
  ) {}

  /** Asks of at most `limit` TPPs; of none where the directory publishes no statements. */
  async ask(nowMs: number, limit: number): Promise<void> {
    const { directory, registration, settings } = this;
    if (directory === undefined || registration === undefined) return;
    if (settings.config.directory?.statements === undefined) return;
    for (let asked = 0; asked < limit; asked++) {
      const tpp = await this.tpps.takeForCheck(new Date(nowMs - everyMs));
      if (tpp === undefined || !(await this.learn(tpp, directory, registration))) return;
    }
  }

  /** False where nothing could be learned. */
  private async learn(tpp: Tpp, directory: DirectoryClient, registration: Registration): Promise<boolean> {
    const { softwareId = '' } = tpp.software ?? {};
    try {
      const statement = await directory.statement(softwareId);
      if (statement !== undefined) {
        const { softwareId: stated, expiresAt } = await registration.statement(statement);
        if (stated !== softwareId) throw new DocumentUnavailable('a statement of another software');
        await this.tpps.recordDirectoryAnswer(tpp, { statement, ...(expiresAt && { expiresAt }) });
        return true;
      }
    } catch (error) {
      if (!isRefusal(error)) {
        if (!isSilence(error)) throw error;
        this.log.silentDirectory(softwareId, error);
        return false;
      }
    }
    await this.tpps.recordDirectoryAnswer(tpp, undefined);
    // Once, and not at each answer that says the same.
    if (tpp.software?.withdrawnAt === undefined)
      this.trail.happened({
        kind: 'tpp',
        event: 'withdrawn-by-directory',
        by: 'gateway',
        issuer: embeddedIssuer,
        tpp: tpp.clientId,
        reason: 'statement-withdrawn',
      });
    return true;
  }
}

/** The directory could not be asked, or gave a statement that cannot be judged: nothing is changed. */
function isSilence(error: unknown): boolean {
  return (
    error instanceof DocumentUnavailable || error instanceof IssuerUnreachable || error instanceof RegistrationRefused
  );
}

/** Whether a valid statement says that the software may not do this any more. An invalid statement says nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof RegistrationRefused && error.fault.error === 'unapproved_software_statement';
}
