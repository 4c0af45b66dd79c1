import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

const certificateOf = ({ req }: KoaContextWithOIDC) => (req.socket as TLSSocket).getPeerX509Certificate();

/** Clients prove themselves by the names in their certificates. */
export const byCertificates: NonNullable<NonNullable<Configuration['features']>['mTLS']> = {
  enabled: true,
  tlsClientAuth: true,
  certificateBoundAccessTokens: true,
  getCertificate: (ctx) => certificateOf(ctx),
  certificateAuthorized: ({ req }) => (req.socket as TLSSocket).authorized,
  certificateSubjectMatches: (ctx, _property, expected) => certificateOf(ctx)?.subject === expected,
};

/** A server of the library oidc-provider on a port of loopback. It can be stopped, and started again as another provider. */
export class OpenIdServer {
  readonly issuer: string;
  private server: Server | undefined;

  /** @param tls its certificate and the authority of the clients'; absent: plain HTTP */
  constructor(
    private readonly port: number,
    private readonly tls: { readonly cert: string; readonly key: string; readonly ca: string } | undefined,
  ) {
    this.issuer = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  }

  /** @param page makes what answers the requests of a customer's browser below `/interaction/` */
  protected async serve(configuration: Configuration, page: (provider: Provider) => Answer): Promise<void> {
    await this.stop();
    const provider = new Provider(this.issuer, {
      ...configuration,
      features: { devInteractions: { enabled: false }, mTLS: byCertificates, ...configuration.features },
      cookies: { keys: ['a-key-of-tests'] },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    });
    const [interaction, library] = [page(provider), provider.callback()];
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      const isOfCustomer = request.url?.startsWith('/interaction/');
      Promise.resolve((isOfCustomer ? interaction : library)(request, response)).catch((error: unknown) =>
        response.writeHead(500).end(String(error)),
      );
    };
    this.server = this.tls
      ? createTlsServer({ ...this.tls, requestCert: true, rejectUnauthorized: false }, answer)
      : createServer(answer);
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
