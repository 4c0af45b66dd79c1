import type { CoreParty } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { freeText } from '../../open-banking/free-text.js';
import type { Party } from './party.schema.js';

export type PartyView = Pick<IdentifiedView, 'customer' | 'publicId'>;

/**
 * The individual who gave the consent. The name that the bank sent with the consent comes first: on a joint account it is
 * certainly the name of that person, while a core may know only the account's holder.
 */
export function toParty(party: CoreParty, view: PartyView): Party {
  const { ref, displayName } = view.customer;
  const name = displayName ?? party.name;
  return { PartyId: view.publicId(ref), Name: name === undefined ? undefined : freeText(name, 350) || undefined };
}
