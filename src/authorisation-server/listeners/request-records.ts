import type { IncomingMessage } from 'node:http';
import { isSystemAway } from '../../observability/fault-record.js';
import type { Metrics } from '../../observability/metrics.js';
import { embeddedIssuer, tppId } from '../../open-banking/tpp-id.js';
import { grantTypes, type RequestEvent } from '../../trail/event.js';
import { reasonOfFault, refuse, type OAuthFault } from './refusal-reasons.js';

/** The events and the metrics of the requests to the authorization server: no query, no header and no id but the TPP's. */
export class RequestRecords {
  constructor(private readonly metrics: Pick<Metrics, 'request'>) {}

  /** Names the TPP of a request. */
  readonly identify = ({ context }: Pick<IncomingMessage, 'context'>, clientId: string | undefined): void => {
    if (context !== undefined && clientId !== undefined) context.tpp = tppId(embeddedIssuer, clientId);
  };

  /** States how the client proved itself, and the grant that it asks for. */
  readonly proven = (
    { context }: Pick<IncomingMessage, 'context'>,
    clientAuthentication: string,
    asked: unknown,
  ): void => {
    if (context === undefined) return;
    const grantType = grantTypes.find((known) => known === asked);
    context.saw = { ...context.saw, clientAuthentication, ...(grantType !== undefined && { grantType }) };
  };

  /** States why the authorization server refused a request. */
  readonly refused = ({ context }: Pick<IncomingMessage, 'context'>, fault: OAuthFault): void => {
    if (context !== undefined) refuse(context, reasonOfFault(fault));
  };

  /** States that no check refused the request: another system was away, or the gateway has a fault. */
  readonly failed = ({ context }: Pick<IncomingMessage, 'context'>, error: unknown): void => {
    if (context !== undefined) context.reason = isSystemAway(error) ? 'system-away' : 'fault';
  };

  readonly corrected = (event: RequestEvent): RequestEvent => {
    // The rest of a path after its fixed part may be a secret, a TPP or anything: the record leaves it out.
    const endpoint = event.endpoint?.replace(/:.*$/, '*');
    // A caller that is refused because it is not this TPP is not this TPP.
    return event.status === 401 ? { ...event, endpoint, tpp: undefined, issuer: undefined } : { ...event, endpoint };
  };

  readonly observe = (event: RequestEvent): void => this.metrics.request(event);
}
