import type { CoreParty } from '../../core-banking/core.records.js';
import { freeText } from '../../open-banking/free-text.js';
import type { Party } from './party.dto.js';

export interface PartyView {
  readonly partyId: string;
  /** What the bank said, when the customer gave the consent, that it calls the customer. */
  readonly displayName?: string;
}

/**
 * The individual who gave the consent (section 2.5). The name that the bank told with the consent comes first: on a
 * joint account it is certain to be that person's, while a core may know only the account's holder.
 */
export function toParty(party: CoreParty | undefined, view: PartyView): Party {
  const name = view.displayName ?? party?.name;
  return { PartyId: view.partyId, Name: name === undefined ? undefined : freeText(name, 350) || undefined };
}
