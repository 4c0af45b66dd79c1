import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { X509Certificate } from 'node:crypto';
import type { AuthorisationServerConfig } from '../../config/config.js';
import { httpOptions } from '../../http/api-defaults.js';
import { hasSeveralHosts } from '../../http/headers.js';
import { isHttps, strictTransport, strictTransportHeader } from '../../http/strict-transport.js';
import type { ListenerTls } from '../../security/listener-tls.js';
import { certificatesOf, readPem } from '../../security/pem-files.js';
import { isHostOf } from './own-host.js';

/** Never asks for a client certificate: a browser would show its owner a list to choose from. */
export function createBrowserServer(
  { url }: AuthorisationServerConfig['browser'],
  tls: ListenerTls | undefined,
  answer: RequestListener,
): Server {
  const listener = strictlyOverTls(url, answer);
  if (tls === undefined) return createHttpServer(httpOptions, listener);
  const server = createHttpsServer({ ...httpOptions, ...tls.options }, listener);
  tls.servedBy(server);
  return server;
}

/** Tells browsers to come over HTTPS only, on whatever is answered, where they do come over HTTPS. */
function strictlyOverTls(url: string, next: RequestListener): RequestListener {
  if (!isHttps(url)) return next;
  return (request, response) => {
    response.setHeader(strictTransportHeader, strictTransport);
    next(request, response);
  };
}

/**
 * Asks for a client certificate and leaves its judgement to who needs it: a TPP may have registered the certificate
 * itself (`self_signed_tls_client_auth`), and what is bound to a certificate is checked against it at each request.
 */
export function createTppServer(tls: ListenerTls | undefined, listener: RequestListener): Server {
  // Behind a proxy; without its word no TPP has a certificate here, so that none gets a token.
  if (tls === undefined) return createHttpServer(httpOptions, listener);
  const server = createHttpsServer({ ...httpOptions, ...tls.options }, listener);
  tls.servedBy(server);
  return server;
}

/** Who issues certificates to TPPs, where a proxy passes the TPPs' on: each of the file's issues them itself. */
export function readAuthorities({ clientCaFile }: AuthorisationServerConfig['tpp']): readonly X509Certificate[] {
  if (clientCaFile === undefined) return [];
  const file = { setting: 'MTLS_CLIENT_CA_FILE', path: clientCaFile };
  return certificatesOf(file, readPem(file));
}

/**
 * Passes on only what was sent to this listener by its own name, and what has more than one Host header: that is refused
 * by what comes next, in its own shape.
 */
export function ownHostOnly(url: string, next: RequestListener): RequestListener {
  const isOwn = isHostOf(url);
  return (request: IncomingMessage, response: ServerResponse) => {
    if (isOwn(request.headers.host) || hasSeveralHosts(request)) return next(request, response);
    response.writeHead(421, { 'content-length': 0, connection: 'close' }).end();
  };
}

/**
 * The library makes its URLs, and what a client assertion may be for, from what a proxy says: whatever a proxy or a
 * client claims in `x-forwarded-*` is replaced by the listener's own name.
 */
export function tellOwnName(url: string, next: RequestListener): RequestListener {
  const { host, protocol } = new URL(url);
  return (request, response) => {
    request.headers['x-forwarded-host'] = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    next(request, response);
  };
}
