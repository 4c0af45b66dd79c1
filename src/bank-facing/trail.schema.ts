import { Type } from 'typebox';
import { checks } from '../open-banking/checks.js';

const text = (description: string) => Type.String({ description });

export const SearchedPart = Type.Object(
  {
    Instances: Type.Array(Type.String(), { description: 'The processes whose segments were searched.' }),
    Days: Type.Array(Type.String()),
    OpenEvents: Type.Integer({ description: 'Events of segments that are still written.' }),
    Limit: Type.Optional(
      text('The limit at which the search stopped; absent where it read every event of this folder.'),
    ),
  },
  { title: 'Searched', description: 'The part that this gateway searched: the latest segments of its own TRAIL_DIR.' },
);

const ExplainedEvent = Type.Object(
  {
    DateTime: text('When the request was received, or the event happened.'),
    Kind: text('Such as request or consent: docs/operate/trail.md.'),
    Instance: text('The process that wrote the event.'),
    Asked: text('Who asked for which endpoint, or the change.'),
    Outcome: text('The answer, and where the request stopped.'),
    Checks: Type.Array(
      Type.Object({
        Check: Type.String({ enum: [...checks] }),
        Outcome: Type.String({ enum: ['passed', 'refused', 'not reached'] }),
        Facts: Type.Optional(text('The facts on which it decided.')),
      }),
      {
        description:
          'The checks of a request to the API, in their order; empty where the event does not say how far the request came.',
      },
    ),
    Reason: Type.Optional(Type.Object({ Code: Type.String(), Meaning: Type.String(), Remedy: Type.String() })),
    NeededToPass: Type.Optional(text('The condition of the refusing check that the request did not meet.')),
    Core: Type.Optional(text('The part of the core.')),
    ErrorId: Type.Optional(text('The id of the error that the caller received.')),
  },
  { title: 'ExplainedEvent' },
);

export const Why = Type.Object(
  {
    Events: Type.Array(ExplainedEvent, {
      description: 'By time. A TPP may use an interaction id for several requests.',
    }),
    NotFound: Type.Optional(
      text('A sentence that names the searched instances and days; only where no event has the id.'),
    ),
    Searched: SearchedPart,
  },
  { title: 'Why' },
);

export const WhyParams = Type.Object({
  // Any other text could be in every line of the trail, each of which would be read.
  id: Type.String({
    maxLength: 64,
    pattern: '^[0-9A-Za-z-]{8,64}$',
    description: 'An interaction id, or the id of an error that a caller received.',
  }),
});

export const ReadsUnderConsent = Type.Object({
  TppId: Type.String(),
  TppIssuer: Type.String(),
  ConsentId: Type.String(),
  Endpoint: Type.String(),
  Answered: Type.Integer({ description: 'Requests that were answered with data.' }),
  Attended: Type.Integer({ description: 'Answered ones during which the customer was present.' }),
  Refused: Type.Integer({ description: 'Requests that got no data: the gateway refused them, or failed.' }),
  FirstDateTime: text('When the first request was received.'),
  LastDateTime: text('When the last request was received.'),
});
