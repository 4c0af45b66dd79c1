import { Type } from 'typebox';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { answer, dateTime, readErrors } from './bank-facing.schema.js';
import { bankErrorSchema } from './bank-errors.js';

export const RegisteredTpp = Type.Object(
  {
    ClientId: Type.String({ description: 'Together with `Issuer` it names the TPP.' }),
    Issuer: Type.String({
      description:
        'The issuer of its tokens: its configured name, or `embedded` for the embedded authorization server.',
    }),
    Name: Type.Optional(Type.String({ description: 'As customers know it; of one that is registered here.' })),
    Agent: Type.Optional(
      Type.String({ description: 'Acts on its behalf, by its software statement: customers see both names.' }),
    ),
    Status: Type.String({
      enum: ['active', 'suspended'],
      description: 'Every token and request of a suspended TPP fails; its consents stay.',
    }),
    ConsentsRevokedDateTime: Type.Optional(
      dateTime('When the bank revoked all its consents: each that was created up to then counts as revoked.'),
    ),
    SoftwareStatement: Type.Optional(
      Type.Object(
        {
          SoftwareId: Type.String(),
          OrganisationId: Type.String(),
          ExpirationDateTime: Type.Optional(dateTime('From then on nothing works for it, until it brings a new one.')),
          WithdrawnDateTime: Type.Optional(
            dateTime('Since when the directory does not state it, or not the role: nothing works for it.'),
          ),
        },
        { description: 'Only for a TPP that registered itself.' },
      ),
    ),
    Metadata: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'Client metadata (RFC 7591); of one that is registered here.' },
      ),
    ),
  },
  { title: 'Tpp' },
);
export const RegisteredTpps = Type.Object({ Tpps: Type.Array(RegisteredTpp) }, { title: 'Tpps' });

export const SigningKeyList = Type.Object(
  {
    Keys: Type.Array(
      Type.Object({
        KeyId: Type.String({ description: '`kid`.' }),
        Algorithm: Type.String(),
        SignsFromDateTime: dateTime('A new key is published some minutes before it signs.'),
        PublishedUntilDateTime: Type.Optional(dateTime('Only for a key that has a successor.')),
      }),
    ),
  },
  { title: 'SigningKeys' },
);

export const operatorErrors = {
  ...readErrors,
  400: answer(
    'A member or a parameter is not as described, or the issuer of the TPP must be named. Nothing was changed.',
    bankErrorSchema,
  ),
  404: answer('No such TPP, or there is no embedded authorization server here.', bankErrorSchema),
};

/** The embedded authorization server; 404 where it is switched off. */
export function embeddedServer(embedded: AuthorisationServer | undefined): AuthorisationServer {
  if (embedded === undefined)
    throw new OpenBankingError('path-unknown', {
      message: 'This gateway runs without the embedded authorization server.',
    });
  return embedded;
}
