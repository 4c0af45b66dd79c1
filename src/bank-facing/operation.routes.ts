import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Metrics } from '../observability/metrics.js';
import { declareRoutes } from '../server/routes.js';
import { Live, NotReady, Ready, Serving } from './bank-facing.schema.js';
import { Readiness } from './readiness.js';

const tags = ['Operation'];
const schemas = {
  live: { operationId: 'live', summary: 'Whether the process runs', tags, response: { 200: Live } },
  ready: {
    operationId: 'ready',
    summary: 'Whether requests can be answered',
    tags,
    response: { 200: Ready, 503: NotReady },
  },
  serving: {
    operationId: 'serving',
    summary: 'Whether reads of account information can be answered',
    description:
      'For a balancer: while the core is slow or unreachable, the gateway answers 503 with Retry-After by itself. The core is ' +
      'not asked, and the database need not accept changes.',
    tags,
    response: { 200: Serving, 503: NotReady },
  },
  metrics: {
    operationId: 'metrics',
    summary: 'Metrics for Prometheus',
    tags,
    response: {
      200: { description: 'Metrics as Prometheus reads them.', content: { 'text/plain': { schema: Type.String() } } },
    },
  },
};
/** Without a credential and without an access record: a balancer asks every second. */
const open = (name: string) => ({ declaration: { kind: 'public', name } }) as const;

@Injectable()
export class OperationRoutes {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  declare(server: FastifyInstance): void {
    const { readiness, metrics } = this;
    declareRoutes(
      server,
      '',
      (routes) => {
        routes.get('/health/live', { schema: schemas.live, config: open('live') }, () => ({ status: 'live' }));
        routes.get('/health/ready', { schema: schemas.ready, config: open('ready') }, async (_request, reply) =>
          answerReadiness(reply, readiness),
        );
        routes.get('/health/serving', { schema: schemas.serving, config: open('serving') }, async (_request, reply) =>
          answerServing(reply, await readiness.servingFaults()),
        );
        routes.get('/metrics', { schema: schemas.metrics, config: open('metrics') }, async (_request, reply) =>
          reply.header('content-type', metrics.registry.contentType).send(await metrics.text()),
        );
      },
      open('operation'),
    );
  }
}

async function answerReadiness(reply: FastifyReply, readiness: Readiness): Promise<FastifyReply> {
  const faults = await readiness.faults();
  if (faults.length === 0) return reply.send({ status: 'ready' });
  const serving = (await readiness.servingFaults()).length === 0;
  return reply.code(503).send({ status: 'not ready', faults, serving });
}

function answerServing(reply: FastifyReply, faults: readonly string[]): FastifyReply {
  return faults.length === 0
    ? reply.send({ status: 'serving' })
    : reply.code(503).send({ status: 'not ready', faults });
}
