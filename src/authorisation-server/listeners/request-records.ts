import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { accessRecord } from '../../server/access-log.js';
import { answeredStatus, awaitAnswer } from '../../server/broken-http.js';
import type { Metrics } from '../../observability/metrics.js';

/** The access records and the metrics of the authorization server: no query, no header and no id but the TPP's. */
export class RequestRecords {
  private readonly tpps = new WeakMap<IncomingMessage, string>();

  constructor(
    private readonly log: FastifyBaseLogger,
    private readonly metrics: Pick<Metrics, 'request'>,
  ) {}

  /** Names the TPP of a request. */
  readonly identify = (request: IncomingMessage, clientId: string | undefined): void => {
    if (clientId !== undefined) this.tpps.set(request, clientId);
  };

  /** Leaves one record of the request, once it is answered or nobody is left to answer. */
  watch(request: FastifyRequest, reply: FastifyReply): void {
    awaitAnswer(reply, () => {
      // A caller that is refused because it is not this TPP is not this TPP.
      const tpp = answeredStatus(reply) === 401 ? undefined : this.tpps.get(request.raw);
      const record = accessRecord(request, reply, tpp, endpointOf(request));
      this.log.info(record);
      this.metrics.request(record.access);
    });
  }
}

/** The pattern of the route. What follows its fixed part may be a secret, a TPP or anything. */
function endpointOf(request: FastifyRequest): string | undefined {
  return request.is404 ? undefined : request.routeOptions.url?.replace(/:.*$/, '*');
}
