import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { party } from '../../resources/party/party.endpoint.js';
import { IdSchema } from '../../open-banking/schemas.js';
import { AddressSchema, addressWords, LeiSchema } from './parties.js';

/** docs/specification.md, "Party". */
const PartySchema = Type.Object({
  PartyId: IdSchema,
  Name: Type.Optional(Type.String({ minLength: 1, maxLength: 350, examples: ['Kate Example'] })),
  LEI: Type.Optional(LeiSchema),
  Address: Type.Optional(Type.Array(AddressSchema)),
});

export const partyForm = declareForm(party, {
  path: '/accounts/:AccountId/party',
  collection: 'Party',
  single: true,
  schema: PartySchema,
  words: ({ partyId, name, lei, address }) => ({
    PartyId: partyId,
    Name: name,
    LEI: lei,
    Address: address && [addressWords(address)],
  }),
});
