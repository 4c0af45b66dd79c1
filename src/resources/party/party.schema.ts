import { Type, type Static } from 'typebox';
import { IdSchema } from '../../open-banking/schemas.js';

/** docs/specification.md, "Party". */
export const PartySchema = Type.Object({
  PartyId: IdSchema,
  Name: Type.Optional(Type.String({ minLength: 1, maxLength: 350, examples: ['Kate Example'] })),
});
export type Party = Static<typeof PartySchema>;
