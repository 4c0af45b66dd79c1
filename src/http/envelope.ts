import { Type, type TSchema } from 'typebox';
import { basePath } from '../open-banking/endpoints.js';
import type { PageLinks } from './request-context.js';

/** Section 2.1: what every successful answer looks like. */
export interface Envelope {
  readonly Data: Readonly<Record<string, unknown>>;
  readonly Links: PageLinks & { readonly Self: string };
  readonly Meta: Record<string, never>;
}

export function envelope(collection: string, content: unknown, self: string, pageLinks?: PageLinks): Envelope {
  return { Data: { [collection]: content }, Links: { Self: self, ...pageLinks }, Meta: {} };
}

/** Absolute, on the configured base URL, from the route and never from the Host header; no query, no trailing slash. */
export function selfLink(baseUrl: string, path: string, accountId: string | undefined): string {
  const url = `${baseUrl}${basePath}${path}`;
  return accountId === undefined ? url : url.replace(':AccountId', accountId);
}

export const LinksSchema = Type.Object({
  Self: Type.String({ format: 'uri' }),
  First: Type.Optional(Type.String({ format: 'uri' })),
  Prev: Type.Optional(Type.String({ format: 'uri' })),
  Next: Type.Optional(Type.String({ format: 'uri' })),
  Last: Type.Optional(Type.String({ format: 'uri' })),
});

export const MetaSchema = Type.Object({}, { additionalProperties: false });

/** OBErrorResponse1 of the standard. */
const ErrorSchema = Type.Object(
  {
    Code: Type.String({ maxLength: 40 }),
    Id: Type.String({ maxLength: 40 }),
    Message: Type.String({ maxLength: 500 }),
    Errors: Type.Array(
      Type.Object({
        ErrorCode: Type.String(),
        Message: Type.String({ maxLength: 500 }),
        Path: Type.Optional(Type.String({ maxLength: 500 })),
      }),
      { minItems: 1 },
    ),
  },
  { description: 'Every error except 401, which has no body.' },
);

const withBody = { ...ErrorSchema };

/** The error answers that any protected route may give. */
export const errorSchemas = {
  400: withBody,
  401: Type.Null({ description: 'No valid token, or the consent is not live. No body; see WWW-Authenticate.' }),
  403: withBody,
  404: withBody,
  405: withBody,
  406: withBody,
  500: withBody,
  503: withBody,
};

export function responseSchemas(collection: string, item: TSchema, single: boolean): Record<number, TSchema> {
  return {
    200: Type.Object(
      { Data: Type.Object({ [collection]: single ? item : Type.Array(item) }), Links: LinksSchema, Meta: MetaSchema },
      { description: 'OK' },
    ),
    ...errorSchemas,
  };
}
