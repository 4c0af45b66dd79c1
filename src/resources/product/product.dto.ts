import { Type, type Static } from 'typebox';
import { AccountIdSchema } from '../../open-banking/schemas.js';

/** Section 2.12. */
export const ProductSchema = Type.Object({
  ProductName: Type.Optional(Type.String({ maxLength: 350 })),
  ProductId: Type.Optional(Type.String({ maxLength: 40 })),
  AccountId: AccountIdSchema,
  ProductType: Type.String({ enum: ['PersonalCurrentAccount', 'BusinessCurrentAccount', 'Other'] }),
});
export type Product = Static<typeof ProductSchema>;
