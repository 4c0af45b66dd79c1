import { Type, type Static } from 'typebox';

/** The most events of one answer. */
export const mostEvents = 100;

/** OBEventPolling1 of the standard. */
export const EventPollingSchema = Type.Object(
  {
    maxEvents: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `The greatest number of events in the answer, at most ${mostEvents}. With 0 the gateway takes the acknowledgements and answers at once without an event.`,
      }),
    ),
    returnImmediately: Type.Optional(Type.Boolean({ description: 'With true the answer does not wait for an event.' })),
    ack: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        description: 'The `jti` of each event that the TPP knows now. It does not get these again.',
      }),
    ),
    setErrs: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({
          err: Type.String({ minLength: 1, maxLength: 40 }),
          description: Type.String({ minLength: 1, maxLength: 256 }),
        }),
        { description: 'By its `jti`, each event that the TPP could not use. It gets these again, after all others.' },
      ),
    ),
  },
  {
    title: 'EventPolling',
    additionalProperties: false,
    examples: [{ maxEvents: 10, returnImmediately: true, ack: ['4d3559ec-67af-4c18-9a4a-5f1c1c4b7e62'] }],
  },
);
export type EventPolling = Static<typeof EventPollingSchema>;

/** OBEventPollingResponse1 of the standard. */
export const EventPollingResponseSchema = Type.Object(
  {
    sets: Type.Record(Type.String(), Type.String(), {
      description: 'The security event tokens (RFC 8417), each as a compact JWS by its `jti`; empty where none waits.',
    }),
    moreAvailable: Type.Boolean({ description: 'Further events wait.' }),
  },
  { title: 'EventPollingResponse', additionalProperties: false, description: 'The events that wait for the TPP.' },
);
export type EventPollingResponse = Static<typeof EventPollingResponseSchema>;
