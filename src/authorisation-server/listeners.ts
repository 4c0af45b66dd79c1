import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BootError } from '../config/boot-error.js';
import type { AuthorisationServerConfig } from '../config/config.js';
import { httpOptions } from '../http/api-defaults.js';
import { hasSeveralHosts } from '../http/headers.js';
import { isHostOf } from './own-host.js';

/** Never asks for a client certificate: a browser would show its owner a list to choose from. */
export function createBrowserServer({ tls }: AuthorisationServerConfig['browser'], listener: RequestListener): Server {
  if (tls === undefined) return createHttpServer(httpOptions, listener);
  return createHttpsServer(
    {
      ...httpOptions,
      cert: readPem(tls.certFile, 'BROWSER_TLS_CERT_FILE'),
      key: readPem(tls.keyFile, 'BROWSER_TLS_KEY_FILE'),
      minVersion: 'TLSv1.2',
    },
    listener,
  );
}

/**
 * Asks for a client certificate and leaves its judgement to who needs it: a TPP may have registered the certificate
 * itself (`self_signed_tls_client_auth`), and what is bound to a certificate is checked against it at each request.
 */
export function createTppServer({ tls }: AuthorisationServerConfig['tpp'], listener: RequestListener): Server {
  // Behind a proxy; without its word no TPP has a certificate here, so that none gets a token.
  if (tls === undefined) return createHttpServer(httpOptions, listener);
  return createHttpsServer(
    {
      ...httpOptions,
      cert: readPem(tls.certFile, 'MTLS_CERT_FILE'),
      key: readPem(tls.keyFile, 'MTLS_KEY_FILE'),
      ca: readPem(tls.clientCaFile, 'MTLS_CLIENT_CA_FILE'),
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
    },
    listener,
  );
}

/** Who issues certificates to TPPs, where a proxy passes the TPPs' on: each of the file's issues them itself. */
export function readAuthorities({ clientCaFile }: AuthorisationServerConfig['tpp']): readonly X509Certificate[] {
  if (clientCaFile === undefined) return [];
  const pem = readPem(clientCaFile, 'MTLS_CLIENT_CA_FILE').toString('latin1');
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    if (certificates.length > 0) return certificates.map((certificate) => new X509Certificate(certificate));
  } catch {
    // Said below.
  }
  throw new BootError(`MTLS_CLIENT_CA_FILE "${clientCaFile}" holds no certificates: name a readable PEM file`);
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

function readPem(file: string, setting: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new BootError(`${setting} "${file}" cannot be read: name a readable PEM file`);
  }
}
