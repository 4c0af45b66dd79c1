import type { DirectoryClient } from '../../security/directory.client.js';
import { DocumentUnavailable } from '../../security/tpp-document.client.js';
import { IssuerUnreachable } from '../../security/token-issuer.js';
import { RegistrationRefused } from './registration-request.js';
import type { Registration } from './registration.js';
import type { Tpp, TppStore } from './tpp.store.js';

/** The directory is asked of each TPP so often. */
const everyMs = 5 * 60_000;

export interface StatementWatchParts {
  readonly tpps: TppStore;
  readonly directory: DirectoryClient;
  readonly registration: Registration;
  /** The directory could not be asked, or said what makes no sense: nothing is changed. */
  readonly onSilence: (softwareId: string, error: unknown) => void;
}

/**
 * Asks the directory of the TPPs whose turn it is, so that one that lost its role or its software statement can do nothing
 * from then on, and again can when the directory states it again. Not at each use: the directory being away must not be
 * the bank's TPPs being away; while it is, it is asked of one TPP a turn. Several processes share the work.
 * @returns of how many it was asked
 */
export async function watchStatements(parts: StatementWatchParts, nowMs: number, limit: number): Promise<number> {
  for (let asked = 0; asked < limit; asked++) {
    const tpp = await parts.tpps.takeForCheck(new Date(nowMs - everyMs));
    if (tpp === undefined) return asked;
    if (!(await ask(parts, tpp))) return asked + 1;
  }
  return limit;
}

/** False where nothing could be learned. */
async function ask({ tpps, directory, registration, onSilence }: StatementWatchParts, tpp: Tpp): Promise<boolean> {
  const { softwareId = '' } = tpp.software ?? {};
  try {
    const statement = await directory.statement(softwareId);
    if (statement !== undefined) {
      const { softwareId: stated, expiresAt } = await registration.statement(statement);
      if (stated !== softwareId) throw new DocumentUnavailable('a statement of another software');
      await tpps.recordDirectoryAnswer(tpp, { statement, ...(expiresAt && { expiresAt }) });
      return true;
    }
  } catch (error) {
    if (!isRefusal(error)) {
      if (!(
        error instanceof DocumentUnavailable ||
        error instanceof IssuerUnreachable ||
        error instanceof RegistrationRefused
      ))
        throw error;
      onSilence(softwareId, error);
      return false;
    }
  }
  await tpps.recordDirectoryAnswer(tpp, undefined);
  return true;
}

/** A good statement that says that the software may not do this (any more); a bad one says nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof RegistrationRefused && error.fault.error === 'unapproved_software_statement';
}
