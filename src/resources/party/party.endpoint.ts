import { declareForm } from '../../endpoint/endpoint-form.js';
import { declareRule } from '../../endpoint/endpoint-rule.js';
import { toParty } from './party.mapper.js';
import { PartySchema } from './party.schema.js';

export const party = declareRule({
  name: 'party',
  read: 'party',
  permissions: [['ReadParty']],
  window: 'always',
  ids: { kind: 'party', uniqueWithin: 'bank' },
  summary: 'The individual who gave the consent',
});

export const partyForm = declareForm(party, {
  path: '/accounts/:AccountId/party',
  collection: 'Party',
  single: true,
  schema: PartySchema,
  map: toParty,
});
