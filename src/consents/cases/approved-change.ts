import { outcomeUnknown, stored } from '../stored.js';
import { ProposalGone } from './proposal.store.js';

/** The proposal is the caller's matter; a failure of the database becomes 503. */
export async function changed<T>(change: Promise<T>): Promise<T> {
  const outcome = await stored(
    change.catch((error: unknown) => {
      if (error instanceof ProposalGone) return error;
      throw error;
    }),
    outcomeUnknown,
  );
  if (outcome instanceof ProposalGone) throw outcome;
  return outcome;
}
