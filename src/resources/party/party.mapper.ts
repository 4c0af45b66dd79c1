import { optionalCode } from '../../../packages/core-adapter/core-rows.js';
import type { CoreParty } from '../../../packages/core-adapter/core.records.js';
import { lei } from '../../../packages/core-adapter/identifiers.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { optionalText } from '../../open-banking/free-text.js';

export type PartyView = Pick<IdentifiedView, 'customer' | 'publicId'>;

export interface PartyFields {
  readonly partyId: string;
  readonly name: string | undefined;
  readonly lei: string | undefined;
}

/**
 * The individual who gave the consent. The name that the bank sent with the consent comes first: on a joint account it is
 * certainly the name of that person, while a core may know only the account's holder. The LEI of another holder is not shown.
 */
export function partyFields(party: CoreParty, view: PartyView): PartyFields {
  const { ref, displayName } = view.customer;
  return {
    partyId: view.publicId(ref),
    name: optionalText(displayName ?? party.name, 350),
    lei: party.ref === ref ? optionalCode('lei', party.lei, lei) : undefined,
  };
}
