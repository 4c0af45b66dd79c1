import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessRecord } from '../../observability/access-record.js';
import type { Metrics } from '../../observability/metrics.js';
import { embeddedIssuer, tppId } from '../../open-banking/tpp-id.js';
import { accessRecord } from '../../server/access-log.js';

/** The access records and the metrics of the authorization server: no query, no header and no id but the TPP's. */
export class RequestRecords {
  constructor(private readonly metrics: Pick<Metrics, 'request'>) {}

  /** Names the TPP of a request. */
  readonly identify = ({ context }: Pick<IncomingMessage, 'context'>, clientId: string | undefined): void => {
    if (context !== undefined && clientId !== undefined) context.tpp = tppId(embeddedIssuer, clientId);
  };

  readonly accessOf = (request: FastifyRequest, reply: FastifyReply): AccessRecord => {
    const access = accessRecord(request, reply);
    // The rest of a path after its fixed part may be a secret, a TPP or anything: the record leaves it out.
    const endpoint = access.endpoint?.replace(/:.*$/, '*');
    // A caller that is refused because it is not this TPP is not this TPP.
    return access.status === 401 ? { ...access, endpoint, tpp: undefined, issuer: undefined } : { ...access, endpoint };
  };

  readonly observe = (access: AccessRecord): void => this.metrics.request(access);
}
