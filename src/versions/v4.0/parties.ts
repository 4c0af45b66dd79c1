import { Type, type Static } from 'typebox';
import { CreditorAccountSchema } from '../../open-banking/schemas.js';
import type { BeneficiaryFields } from '../../resources/beneficiaries/beneficiary.mapper.js';
import type { PartyFields } from '../../resources/party/party.mapper.js';

export const LeiSchema = Type.String({
  pattern: '^[A-Z0-9]{18}[0-9]{2}$',
  description: 'ISO 17442.',
  examples: ['2138SANDBOXBANK00135'],
});

/** OBCashAccount5 and OBCashAccount6; only with a Detail permission. */
export const PartyAccountSchema = Type.Object(
  {
    ...CreditorAccountSchema.properties,
    Proxy: Type.Optional(
      Type.Object({
        Identification: Type.String({ minLength: 1, maxLength: 2048, examples: ['sam@okafor.example'] }),
        Code: Type.String({ description: 'ExternalProxyAccountType1Code.', examples: ['EMAL'] }),
      }),
    ),
  },
  { title: 'PartyAccount' },
);

const textOf = (maxLength: number, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, examples: [example] }));

/** The members of OBPostalAddress7 that the port has. */
export const AddressSchema = Type.Object(
  {
    StreetName: textOf(140, 'Quay Street'),
    BuildingNumber: textOf(16, '7'),
    BuildingName: textOf(140, 'Harbour House'),
    PostCode: textOf(16, 'E1 0AA'),
    TownName: Type.String({ minLength: 1, maxLength: 140, examples: ['London'] }),
    Country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166.', examples: ['GB'] }),
  },
  { title: 'Address' },
);

export function addressWords(address: NonNullable<PartyFields['address']>): Static<typeof AddressSchema> {
  return {
    StreetName: address.streetName,
    BuildingNumber: address.buildingNumber,
    BuildingName: address.buildingName,
    PostCode: address.postCode,
    TownName: address.townName,
    Country: address.country,
  };
}

/** The members of OBBranchAndFinancialInstitutionIdentification5 and 6 that the port has; only with a Detail permission. */
export const AgentSchema = Type.Object(
  {
    SchemeName: Type.String({ examples: ['UK.OBIE.BICFI'] }),
    Identification: Type.String({ minLength: 8, maxLength: 11, examples: ['SBOXGB2LXXX'] }),
    Name: textOf(140, 'Harbour Bank'),
    LEI: Type.Optional(LeiSchema),
    PostalAddress: Type.Optional(AddressSchema),
  },
  { title: 'Agent' },
);

export function agentWords(agent: BeneficiaryFields['creditorAgent']): Static<typeof AgentSchema> | undefined {
  if (agent === undefined) return undefined;
  const { bic, name, lei, address } = agent;
  return {
    SchemeName: 'UK.OBIE.BICFI',
    Identification: bic,
    Name: name,
    LEI: lei,
    PostalAddress: address && addressWords(address),
  };
}
