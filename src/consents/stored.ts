import { unavailable } from '../open-banking/common-errors.js';
import { OpenBankingError } from '../open-banking/errors.js';

/** The outcome of a change to which the database did not answer: it may have made the change. */
export const outcomeUnknown = 'Whether the change was made is not known';

/** Turns a failure of the database into 503, so that its words do not reach the caller. A refusal stays as it is. */
export async function stored<T>(operation: Promise<T>, outcome?: string): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    throw error instanceof OpenBankingError ? error : unavailable(error, undefined, outcome);
  }
}
