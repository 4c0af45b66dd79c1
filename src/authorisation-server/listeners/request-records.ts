import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessRecord } from '../../observability/access-record.js';
import type { Metrics } from '../../observability/metrics.js';
import { embeddedIssuer, tppId, type TppId } from '../../open-banking/tpp-id.js';
import { accessRecord, endpointOf } from '../../server/access-log.js';
import { answeredStatus } from '../../server/broken-http.js';

/** The access records and the metrics of the authorization server: no query, no header and no id but the TPP's. */
export class RequestRecords {
  private readonly tpps = new WeakMap<IncomingMessage, TppId>();

  constructor(private readonly metrics: Pick<Metrics, 'request'>) {}

  /** Names the TPP of a request. */
  readonly identify = (request: IncomingMessage, clientId: string | undefined): void => {
    if (clientId !== undefined) this.tpps.set(request, tppId(embeddedIssuer, clientId));
  };

  readonly accessOf = (request: FastifyRequest, reply: FastifyReply): AccessRecord => {
    // A caller that is refused because it is not this TPP is not this TPP.
    const tpp = answeredStatus(reply) === 401 ? undefined : this.tpps.get(request.raw);
    // The rest of a path after its fixed part may be a secret, a TPP or anything: the record leaves it out.
    return accessRecord(request, reply, tpp, endpointOf(request)?.replace(/:.*$/, '*'));
  };

  readonly observe = (access: AccessRecord): void => this.metrics.request(access);
}
