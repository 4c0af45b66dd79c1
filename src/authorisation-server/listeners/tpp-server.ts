import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { X509Certificate } from 'node:crypto';
import type { AuthorisationServerConfig } from '../../config/config.js';
import { httpOptions } from '../../server/http-server.js';
import type { ListenerTls } from '../../security/tls/listener-tls.js';
import { certificatesOf, readPem } from '../../config/pem-files.js';
import { isOfAuthorisationServer } from '../../open-banking/authorisation-paths.js';

/**
 * The server of the TPPs' port, which serves the authorization server and the API. It asks for a client certificate and
 * accepts any: a TPP may have registered the certificate itself (`self_signed_tls_client_auth`). Client authentication and
 * each use of a bound token check the certificate.
 */
export function tppServer(
  tls: ListenerTls | undefined,
  serveApi: RequestListener,
): (serveOwn: RequestListener) => Server {
  return (serveOwn) => {
    const serve: RequestListener = (request, response) => {
      request.asksForCertificate = true;
      (isOfAuthorisationServer(request.url ?? '') ? serveOwn : serveApi)(request, response);
    };
    // Without TLS it is behind a proxy; without the proxy's word no TPP has a certificate here, so that none gets a token.
    return tls === undefined
      ? createHttpServer(httpOptions, serve)
      : createHttpsServer({ ...httpOptions, ...tls.options }, serve);
  };
}

/** The authorities of the TPPs' certificates, where a proxy passes these on: each of the file's issues them itself. */
export function readAuthorities({ clientCaFile }: AuthorisationServerConfig['tpp']): readonly X509Certificate[] {
  if (clientCaFile === undefined) return [];
  const file = { setting: 'MTLS_CLIENT_CA_FILE', path: clientCaFile };
  return certificatesOf(file, readPem(file));
}
