import { Type, type TSchema } from 'typebox';
import type { ApiVersion } from './api-version.js';
import type { EndpointForm } from './endpoint-form.js';
import type { PageLinks } from '../request/request-context.js';

/** The form of every successful answer: docs/specification.md, "The envelope". */
export interface Envelope {
  readonly Data: Readonly<Record<string, unknown>>;
  readonly Links: Partial<PageLinks> & { readonly Self: string };
  readonly Meta: Record<string, never>;
}

/** @param answered the handler's answer: the content of the collection, @param links absent where it is not paged */
export function envelope(collection: string, answered: unknown, self: string, links?: PageLinks): Envelope {
  if (links === undefined) return { Data: { [collection]: answered }, Links: { Self: self }, Meta: {} };
  const { First, Prev, Next } = links;
  return {
    Data: { [collection]: answered },
    Links: {
      Self: self,
      First: self + First,
      ...(Prev !== undefined && { Prev: self + Prev }),
      ...(Next !== undefined && { Next: self + Next }),
    },
    Meta: {},
  };
}

/**
 * Absolute, from the route and never from the Host header; no query, no trailing slash.
 * @param path of the route, with its version's base path
 */
export function selfLink(baseUrl: string, path: string, accountId: string | undefined): string {
  const url = `${baseUrl}${path}`;
  return accountId === undefined ? url : url.replace(':AccountId', accountId);
}

const url = (basePath: string, description: string) =>
  Type.String({
    format: 'uri',
    description,
    examples: [`https://bank.example${basePath}/accounts/9b1f6a0c2d3e4f5061728394a5b6c7d8/transactions`],
  });

export const linksSchema = ({ basePath }: Pick<ApiVersion, 'basePath'>) =>
  Type.Object(
    {
      Self: url(basePath, 'The path of the request, without its query.'),
      First: Type.Optional(url(basePath, 'Only where the answer is paged.')),
      Prev: Type.Optional(url(basePath, 'Newer rows; absent on the first page.')),
      Next: Type.Optional(url(basePath, 'Older rows; absent on the last page.')),
    },
    { title: 'Links' },
  );

export const MetaSchema = Type.Object({}, { title: 'Meta', additionalProperties: false, description: 'Always empty.' });

/** An item of `Errors`. @param code the form of its code */
const errorItemSchema = (code: TSchema) =>
  Type.Object({
    ErrorCode: { ...code, description: 'The code for programs.' },
    Message: Type.String({ minLength: 1, maxLength: 500 }),
    Path: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'The member, parameter or header at fault.' }),
    ),
    Url: Type.String({ format: 'uri', description: 'The page that explains the error.' }),
  });

/** The body of an error, for the document only: the error responder writes it. @param members that the form has besides */
export const errorSchema = (code: TSchema, members: Readonly<Record<string, TSchema>> = {}) =>
  Type.Object(
    {
      ...members,
      Id: Type.String({ minLength: 1, maxLength: 40, description: 'Names this error in the log of the bank.' }),
      Message: Type.String({ minLength: 1, maxLength: 500 }),
      Errors: Type.Array(errorItemSchema(code), { minItems: 1 }),
    },
    { title: 'ErrorResponse' },
  );

/** The schema of a resource's answer, for the serialiser and the document. */
export function envelopeSchema(version: ApiVersion, { collection, schema, single }: EndpointForm): TSchema {
  const named = { ...schema, title: collection };
  return Type.Object(
    {
      Data: Type.Object({ [collection]: single ? named : Type.Array(named) }),
      Links: linksSchema(version),
      Meta: MetaSchema,
    },
    { title: `Read${collection}`, description: 'OK' },
  );
}
