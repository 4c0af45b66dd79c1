import { declareEndpoint } from '../../endpoint/endpoint-declaration.js';
import { toParty } from './party.mapper.js';
import { PartySchema } from './party.schema.js';

export const party = declareEndpoint({
  name: 'party',
  path: '/accounts/:AccountId/party',
  read: 'party',
  permissions: [['ReadParty']],
  window: 'always',
  collection: 'Party',
  single: true,
  schema: PartySchema,
  ids: { kind: 'party', uniqueWithin: 'bank' },
  summary: 'The individual who gave the consent',
  map: toParty,
});
