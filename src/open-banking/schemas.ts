import { Type } from 'typebox';

/** Parts that several resources share; each resource's own schema lies beside its mapper. */
export const AmountSchema = Type.Object(
  { Amount: Type.String({ examples: ['12.34'] }), Currency: Type.String({ pattern: '^[A-Z]{3}$' }) },
  { description: 'Major units with at least two fraction digits.' },
);

export const CreditDebitSchema = Type.Unsafe<'Credit' | 'Debit'>({ type: 'string', enum: ['Credit', 'Debit'] });

export const DateTimeSchema = Type.String({ format: 'date-time', examples: ['2026-05-02T09:30:00+00:00'] });

export const AccountIdSchema = Type.String({ maxLength: 40 });

/** `Identification` of a payee's account; only with a Detail permission (standard-facts 3.2). */
export const CreditorAccountSchema = Type.Object({
  SchemeName: Type.String({ examples: ['UK.OBIE.SortCodeAccountNumber'] }),
  Identification: Type.String({ maxLength: 256 }),
  Name: Type.Optional(Type.String({ maxLength: 350 })),
});
