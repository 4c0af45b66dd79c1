import type { CoreParty } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { freeText } from '../../open-banking/free-text.js';

export type PartyView = Pick<IdentifiedView, 'customer' | 'publicId'>;

export interface PartyFields {
  readonly partyId: string;
  readonly name: string | undefined;
}

/**
 * The individual who gave the consent. The name that the bank sent with the consent comes first: on a joint account it is
 * certainly the name of that person, while a core may know only the account's holder.
 */
export function partyFields(party: CoreParty, view: PartyView): PartyFields {
  const { ref, displayName } = view.customer;
  const name = displayName ?? party.name;
  return { partyId: view.publicId(ref), name: name === undefined ? undefined : freeText(name, 350) || undefined };
}
