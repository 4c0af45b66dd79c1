import { Type, type Static } from 'typebox';
import { AccountIdSchema } from '../../open-banking/schemas.js';

/** docs/specification.md, "Product". */
export const ProductSchema = Type.Object({
  ProductName: Type.Optional(Type.String({ minLength: 1, maxLength: 350, examples: ['Everyday Current Account'] })),
  ProductId: Type.Optional(Type.String({ minLength: 1, maxLength: 40, examples: ['ECA-1'] })),
  AccountId: AccountIdSchema,
  ProductType: Type.String({ enum: ['PersonalCurrentAccount', 'BusinessCurrentAccount', 'Other'] }),
});
export type Product = Static<typeof ProductSchema>;
