import { BootError } from './boot-error.js';
import { readSecret } from './secrets.js';

/**
 * The key that sealed the revocation journal, for the command that reads it.
 * @throws BootError where it is not set
 */
export function readJournalKey(variables: NodeJS.ProcessEnv = process.env): string {
  const key = readSecret(variables, 'REVOCATION_JOURNAL_KEY') ?? '';
  if (key === '')
    throw new BootError('REVOCATION_JOURNAL_KEY is not set: it must be that of the gateways that wrote the journal');
  return key;
}
