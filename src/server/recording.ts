import type { FastifyBaseLogger } from 'fastify';
import type { Tracing } from '../observability/tracing.js';
import type { Trail } from '../trail/trail.js';

/** The places where every server leaves the records of its requests. */
export class Recording {
  constructor(
    readonly log: FastifyBaseLogger,
    readonly trail: Trail,
    /** `undefined` where no traces are taken. */
    readonly tracing: Tracing | undefined,
  ) {}
}
