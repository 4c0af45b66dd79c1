import { unavailable } from '../open-banking/common-errors.js';

/** The outcome of a change on which the database fell silent: it may have taken the change before. */
export const outcomeUnknown = 'Whether the change was made is not known';

/** The database's own words end here: its failure is answered with 503. */
export async function stored<T>(operation: Promise<T>, outcome?: string): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    throw unavailable(error, undefined, outcome);
  }
}
