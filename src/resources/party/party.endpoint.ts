import { declareRule } from '../../endpoint/endpoint-rule.js';
import { partyFields } from './party.mapper.js';

export const party = declareRule({
  name: 'party',
  read: 'party',
  permissions: [['ReadParty']],
  window: 'always',
  ids: { kind: 'party', uniqueWithin: 'bank' },
  fields: partyFields,
  summary: 'The individual who gave the consent',
});
