import { Type } from 'typebox';

/**
 * For texts that the gateway makes (ids, amounts, date-times, code words), in which JSON has nothing to escape: the
 * serialiser copies them unread. Never for a text from outside. The OpenAPI document leaves the word out.
 */
export const ownText = { ownText: true } as const;

/**
 * For numbers of any length: the mapper gives the digits as text, which the serialiser writes as a JSON number. The empty text
 * stays one. The OpenAPI document leaves the word out.
 */
export const decimalText = { decimalText: true } as const;

/** Schemas that several resources share. The schema of one resource is in the folder of its mapper. */
export const CurrencySchema = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['GBP'] });

export const AmountSchema = Type.Object(
  {
    Amount: Type.String({
      ...ownText,
      // The standard's pattern, and a minus sign for profiles that sign amounts.
      pattern: '^-?\\d{1,13}\\.\\d{2,5}$',
      description: 'Major units, with the fraction digits of the currency, at least two.',
      examples: ['12.34'],
    }),
    // Only codes of the list in packages/core-adapter/currencies.ts become an amount.
    Currency: { ...CurrencySchema, ...ownText },
  },
  { title: 'Amount' },
);

export const CreditDebitSchema = Type.Unsafe<'Credit' | 'Debit'>({
  ...ownText,
  type: 'string',
  enum: ['Credit', 'Debit'],
});

export const DateTimeSchema = Type.String({ ...ownText, format: 'date-time', examples: ['2026-05-02T09:30:00+00:00'] });

const id = { ...ownText, minLength: 1, maxLength: 40, examples: ['9b1f6a0c2d3e4f5061728394a5b6c7d8'] };

/** A public id: see public-ids.ts. */
export const IdSchema = Type.String(id);
export const AccountIdSchema = Type.String(id);

export const ConsentIdSchema = Type.String({
  minLength: 1,
  maxLength: 128,
  examples: ['aac-ea017c28-d999-47d3-b2b7-b686eae57e29'],
});

/** `Identification` of a payee's account; only with a Detail permission. */
export const CreditorAccountSchema = Type.Object(
  {
    SchemeName: Type.String({ examples: ['UK.OBIE.SortCodeAccountNumber'] }),
    Identification: Type.String({ minLength: 1, maxLength: 256, examples: ['04000410010117'] }),
    Name: Type.Optional(Type.String({ minLength: 1, maxLength: 350, examples: ['Kate Example'] })),
  },
  { title: 'CreditorAccount' },
);
