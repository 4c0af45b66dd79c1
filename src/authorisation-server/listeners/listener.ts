import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { pathUnknown } from '../../open-banking/common-errors.js';
import type { ClientCertificates, ClientCertificate } from '../../security/tls/client-certificate.js';
import { hasSeveral } from '../../server/headers.js';
import { createHttpServer, type Enter, type HttpServerParts, type Respond } from '../../server/http-server.js';
import { misdirected } from '../../server/published-host.js';
import type { Recording } from '../../server/recording.js';
import { isHttps } from '../../config/exposure.js';
import { strictTransport, strictTransportHeader } from '../../server/strict-transport.js';
import { recordRefusal } from './refusal-reasons.js';
import { answerFault } from './fault-answers.js';
import { withoutUnprovenFacts } from './request-records.js';
import type { CheckFacts } from '../../trail/check-facts.js';

export interface ListenerParts
  extends Recording, Pick<HttpServerParts, 'tls' | 'errorNames' | 'hasBody' | 'serverFactory' | 'observe'> {
  /** The origin by which callers know it. */
  readonly url: string;
  /** Called for a fault that no caller caused. */
  readonly onFault: (error: unknown) => void;
  /** Refuses a request with more than one Host header, in the form that this listener's callers read. */
  readonly refuseSeveralHosts: (reply: FastifyReply) => void;
  /** Whether browsers use it: their answers demand HTTPS from then on. */
  readonly forBrowsers: boolean;
  /** Finds the certificate of a caller, where the listener asks for one. */
  readonly certificates?: Pick<ClientCertificates, 'presented'> | undefined;
}

/**
 * A listener of the authorization server, before its routes are declared. A request that was sent to another name than the
 * listener's own reaches no route.
 */
export function createListener(parts: ListenerParts): FastifyInstance {
  const respond = answerFault(parts.onFault);
  const server = createHttpServer({
    ...parts,
    record: 'access',
    listener: parts.forBrowsers ? 'customers' : 'tpps',
    respond,
    enter: entrance(parts, respond),
    corrected: withoutUnprovenFacts,
    // Only the published spelling of a path is served.
    options: { routerOptions: {} },
  });
  void server.register(cookie);
  return server;
}

/** It answers errors itself: the error handler of a page would answer with a page. */
function entrance({ url, forBrowsers, certificates, refuseSeveralHosts }: ListenerParts, respond: Respond): Enter {
  const misdirectedFault = misdirected(url);
  const isStrict = forBrowsers && isHttps(url);
  return (request, reply, done) => {
    // Also of the answers that the library gives past Fastify.
    reply.raw.setHeader('x-fapi-interaction-id', String(reply.getHeader('x-fapi-interaction-id')));
    if (isStrict) reply.raw.setHeader(strictTransportHeader, strictTransport);
    if (certificates !== undefined) request.context.facts = unacceptedCertificate(certificates.presented(request.raw));
    if (hasSeveral('host', request.raw)) {
      recordRefusal(request.context, 'host-repeated');
      return refuseSeveralHosts(reply);
    }
    // Only a path in origin form (RFC 9112, section 3.2.1) is one of ours.
    const fault = misdirectedFault(request) ?? (request.raw.url?.startsWith('/') ? undefined : pathUnknown());
    if (fault !== undefined) return respond(fault, request, reply);
    done();
  };
}

/** Anyone can make a certificate with a name of any length. */
const mostOfName = 200;

/** The trail's facts on a certificate that no accepted authority issued: no subject, which may be a person. */
function unacceptedCertificate(presented: ClientCertificate | undefined): CheckFacts | undefined {
  if (presented === undefined || presented.issued) return undefined;
  const { certificate, fault } = presented;
  return {
    ...(fault !== undefined && { tls: fault }),
    certificateIssuer: certificate.issuer.split('\n').join(', ').slice(0, mostOfName),
    certificateSerial: certificate.serialNumber.slice(0, mostOfName),
  };
}
