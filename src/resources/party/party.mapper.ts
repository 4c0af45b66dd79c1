import { optionalCode } from '../../../packages/core-adapter/core-rows.js';
import type { CoreParty } from '../../../packages/core-adapter/core.records.js';
import { lei } from '../../../packages/core-adapter/identifiers.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { optionalText } from '../../open-banking/free-text.js';
import { postalAddress } from '../payment-parties.js';

export type PartyView = Pick<IdentifiedView, 'customer' | 'publicId'>;

export type PartyFields = Readonly<ReturnType<typeof partyFields>>;

/**
 * The individual who gave the consent. The name that the bank sent with the consent comes first: on a joint account it is
 * certainly the name of that person, while a core may know only the account's holder. The LEI and address of another holder are not shown.
 */
export function partyFields(party: CoreParty, view: PartyView) {
  const { ref, displayName } = view.customer;
  return {
    partyId: view.publicId(ref),
    name: optionalText(displayName ?? party.name, 350),
    lei: party.ref === ref ? optionalCode('lei', party.lei, lei) : undefined,
    address: party.ref === ref ? postalAddress(party.address, 'address') : undefined,
  };
}
