import { Injectable } from '@nestjs/common';
import { DirectoryClient } from '../../security/directory.client.js';
import { DocumentServerSilent, DocumentUnavailable } from '../../security/tpp-document.client.js';
import { IssuerUnreachable } from '../../security/tokens/token-issuer.js';
import { embeddedIssuer } from '../../open-banking/tpp-id.js';
import { Trail } from '../../trail/trail.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { RegistrationRefusal } from './registration-request.js';
import { Registration } from './registration.js';
import { TppStore, type RegisteredSoftware, type Tpp } from './tpp.store.js';

/** The time between two questions to the directory about a TPP. */
const everyMs = 5 * 60_000;

/**
 * Asks the directory of the TPPs whose turn it is, so that one that lost its role or its software statement can do nothing
 * from then on, and again can when the directory states it again. It does not ask at each use, so that the bank's TPPs go
 * on while the directory is unreachable; then it asks about one TPP a turn. Several processes share the work.
 */
@Injectable()
export class StatementWatch {
  constructor(
    private readonly tpps: TppStore,
    private readonly log: AuthorisationLog,
    private readonly trail: Trail,
    private readonly directory: DirectoryClient,
    private readonly registration: Registration,
  ) {}

  /**
   * Asks about at most `limit` TPPs.
   * @param signal ends the turn after the present TPP
   */
  async ask(nowMs: number, limit: number, signal: AbortSignal): Promise<void> {
    for (let asked = 0; asked < limit && !signal.aborted; asked++) {
      const tpp = await this.tpps.takeForCheck(new Date(nowMs - everyMs));
      if (tpp === undefined) return;
      const { softwareId = '' } = tpp.software ?? {};
      try {
        await this.learn(tpp, softwareId);
      } catch (error) {
        if (isSilence(error)) return this.log.silentDirectory(softwareId, error);
        // The answer about this TPP says nothing of the others.
        this.log.unusableStatement(softwareId, error);
      }
    }
  }

  private async learn(tpp: Tpp, softwareId: string): Promise<void> {
    const statement = await this.directory.statement(softwareId);
    const current = statement === undefined ? undefined : await this.readStatement(statement, softwareId);
    await this.tpps.recordDirectoryAnswer(tpp, current);
    // Once, and not at each answer that says the same.
    if (current === undefined && tpp.software?.withdrawnAt === undefined)
      this.trail.happened({
        kind: 'tpp',
        event: 'withdrawn-by-directory',
        by: 'gateway',
        issuer: embeddedIssuer,
        tpp: tpp.clientId,
        reason: 'statement-withdrawn',
      });
  }

  /** `undefined` where the statement is valid and says that the software may not do this any more. */
  private async readStatement(
    statement: string,
    softwareId: string,
  ): Promise<Pick<RegisteredSoftware, 'statement' | 'expiresAt'> | undefined> {
    try {
      const { softwareId: stated, expiresAt } = await this.registration.statement(statement);
      if (stated !== softwareId) throw new DocumentUnavailable('a statement of another software');
      return { statement, ...(expiresAt && { expiresAt }) };
    } catch (error) {
      if (error instanceof RegistrationRefusal && error.fault.error === 'unapproved_software_statement')
        return undefined;
      throw error;
    }
  }
}

/** The directory gave no answer or no keys, so that asking about another TPP is useless now. */
function isSilence(error: unknown): boolean {
  return error instanceof DocumentServerSilent || error instanceof IssuerUnreachable;
}
