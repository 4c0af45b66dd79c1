import { lei } from '../../../../packages/core-adapter/identifiers.js';
import type { CoreParty } from '../../../../packages/core-adapter/core.records.js';
import { optionalField, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { optionalCodeOf, optionalTextOf, partOf, textOf } from '../../../../packages/core-adapter/row-fields.js';
import { readAddress } from './payees.records.js';

export function toParty(row: Row): CoreParty {
  return {
    ref: textOf(row, 'key'),
    name: optionalField('name', () => optionalTextOf(row, 'name')),
    address: row.home === undefined ? undefined : optionalField('address', () => partOf(row, 'home', readAddress)),
    lei: optionalField('lei', () => optionalCodeOf(row, 'lei', lei)),
  };
}
