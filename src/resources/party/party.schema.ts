import { Type, type Static } from 'typebox';
import { IdSchema } from '../../open-banking/schemas.js';

/** Section 2.5. */
export const PartySchema = Type.Object({
  PartyId: IdSchema,
  Name: Type.Optional(Type.String({ minLength: 1, maxLength: 350, examples: ['Kate Example'] })),
});
export type Party = Static<typeof PartySchema>;
