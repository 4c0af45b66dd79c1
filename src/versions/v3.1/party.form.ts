import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import { party } from '../../resources/party/party.endpoint.js';
import { freeText, optionalText } from '../../open-banking/free-text.js';
import { IdSchema } from '../../open-banking/schemas.js';

const textOf = (maxLength: number, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, examples: [example] }));

/** docs/specification.md, "Party". */
const PartySchema = Type.Object({
  PartyId: IdSchema,
  Name: Type.Optional(Type.String({ minLength: 1, maxLength: 350, examples: ['Kate Example'] })),
  Address: Type.Optional(
    Type.Array(
      Type.Object(
        {
          AddressLine: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 70, examples: ['Harbour House'] })),
          ),
          StreetName: textOf(70, 'Quay Street'),
          BuildingNumber: textOf(16, '7'),
          PostCode: textOf(16, 'E1 0AA'),
          TownName: textOf(35, 'London'),
          Country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166.', examples: ['GB'] }),
        },
        { title: 'Address' },
      ),
    ),
  ),
});

export const partyForm = declareForm(party, {
  path: '/accounts/:AccountId/party',
  collection: 'Party',
  single: true,
  schema: PartySchema,
  words: ({ partyId, name, address }) => ({
    PartyId: partyId,
    Name: name,
    // The standard's v3.1 has no member for the name of a building.
    Address: address && [
      {
        AddressLine: address.buildingName === undefined ? undefined : [freeText(address.buildingName, 70)],
        StreetName: optionalText(address.streetName, 70),
        BuildingNumber: address.buildingNumber,
        PostCode: address.postCode,
        TownName: freeText(address.townName, 35),
        Country: address.country,
      },
    ],
  }),
});
