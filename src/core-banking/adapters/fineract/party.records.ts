import type { CoreParty } from '../../../../packages/core-adapter/core.records.js';
import { optionalField, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { key, optionalText } from './fineract.fields.js';

export function toParty(client: Row): CoreParty {
  return {
    ref: key(client.id, 'id'),
    name: optionalField('name', () => optionalText(client.displayName, 'displayName')),
  };
}
