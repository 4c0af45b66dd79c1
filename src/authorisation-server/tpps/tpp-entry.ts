import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** A TPP as the bank registers it, by file or by command. */
export const TppEntry = Type.Object(
  {
    clientId: Type.String({ minLength: 1, maxLength: 128, pattern: '^[!-~]+$' }),
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'As customers know it: with a letter or a digit, without control and format characters but joiners between letters, and ' +
        'not the name of the bank.',
    }),
    status: Type.Optional(
      Type.String({
        enum: ['active', 'suspended'],
        description: 'Absent is active. A TPP that is suspended stays so, whatever is said here.',
      }),
    ),
    metadata: Type.Object(
      {},
      { additionalProperties: true, description: 'Client metadata (RFC 7591); keys as `jwks`, or https `jwks_uri`.' },
    ),
  },
  { title: 'TppEntry', additionalProperties: false },
);
export type TppEntry = Static<typeof TppEntry>;

export const tppEntries = Compile(TppEntry);
