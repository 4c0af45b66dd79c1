import type { IncomingMessage } from 'node:http';
import { unreachableSystem } from '../../observability/fault-record.js';
import { embeddedIssuer, tppId } from '../../open-banking/tpp-id.js';
import type { RequestEvent } from '../../trail/event.js';
import { grantTypes } from '../../trail/check-facts.js';
import { reasonOfFault, recordRefusal, type OAuthFault } from './refusal-reasons.js';

// The record of a request to the authorization server has no query, no header and no id but the TPP's.

type RecordedRequest = Pick<IncomingMessage, 'context'>;

/** Names the TPP of a request. */
export function recordTpp({ context }: RecordedRequest, clientId: string | undefined): void {
  if (context !== undefined && clientId !== undefined) context.tpp = tppId(embeddedIssuer, clientId);
}

/** The same, where the caller has proven that it is this TPP. */
export function recordProvenTpp(request: RecordedRequest, clientId: string | undefined): void {
  recordTpp(request, clientId);
  if (request.context !== undefined) request.context.isProven = true;
}

/** States how the client proved itself, and the grant that it asks for. */
export function recordProof({ context }: RecordedRequest, clientAuthentication: string, asked: unknown): void {
  if (context === undefined) return;
  context.isProven = true;
  const grantType = grantTypes.find((one) => one === asked);
  context.facts = { ...context.facts, clientAuthentication, ...(grantType !== undefined && { grantType }) };
}

/** States why the authorization server refused a request. */
export function recordOAuthRefusal({ context }: RecordedRequest, fault: OAuthFault): void {
  if (context !== undefined) recordRefusal(context, reasonOfFault(fault));
}

/** States that no check refused the request: another system was unreachable, or the gateway has a fault. */
export function recordFault({ context }: RecordedRequest, error: unknown): void {
  if (context !== undefined) context.reason = unreachableSystem(error) ?? 'fault';
}

export function withoutUnprovenFacts(event: RequestEvent): RequestEvent {
  // The rest of a path after its fixed part may be a secret, a TPP or anything: the record omits it.
  const endpoint = event.endpoint?.replace(/:.*$/, '*');
  // A caller that is refused because it is not this TPP is not this TPP.
  return event.status === 401 ? { ...event, endpoint, tpp: undefined, issuer: undefined } : { ...event, endpoint };
}
