import { Type, type Static } from 'typebox';

/** Section 2.5. */
export const PartySchema = Type.Object({
  PartyId: Type.String({ maxLength: 40 }),
  Name: Type.Optional(Type.String({ maxLength: 350 })),
});
export type Party = Static<typeof PartySchema>;
