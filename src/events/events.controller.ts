import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MountAt } from '../endpoint/mount-at.decorator.js';
import { versions } from '../versions/versions.js';
import {
  EventPollingResponseSchema,
  EventPollingSchema,
  type EventPolling,
  type EventPollingResponse,
} from './events.schema.js';
import { EventsService } from './events.service.js';
import { longPollSeconds } from './waiting-polls.js';

/** Aggregated polling: a TPP learns of the changes of its consents that others made. */
@Controller()
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @MountAt(
    Post,
    versions.map((version) => ({
      path: `${version.rootPath}/events`,
      declaration: { kind: 'events', name: 'events', version },
      schema: {
        tags: ['Events'],
        security: [{ clientCredentials: ['accounts'] }],
        summary: 'Poll for events',
        description: `Acknowledges events, and answers with those that wait. Where none waits, the answer waits for one, at most ${longPollSeconds} seconds.`,
        body: EventPollingSchema,
        response: { 200: EventPollingResponseSchema },
      },
    })),
  )
  @HttpCode(200)
  async poll(
    @Body() asked: EventPolling,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EventPollingResponse> {
    const { declaration } = request;
    if (declaration?.kind !== 'events') throw new Error('the route is not declared as one of events');
    const { context } = request;
    const { ack, setErrs } = asked;
    context.facts = { acknowledged: ack?.length ?? 0, faultyEvents: Object.keys(setErrs ?? {}).length };
    const answer = await this.events.poll(asked, {
      tpp: context.verifiedToken().tpp,
      version: declaration.version,
      baseUrl: context.linkBase(),
      context,
      gone: goneOf(reply),
      // The bank may have suspended the TPP during the wait.
      admitAgain: () => request.server.entry.admitAfterBody(request, reply),
    });
    context.rows = Object.keys(answer.sets).length;
    return answer;
  }
}

function goneOf({ raw }: FastifyReply): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
