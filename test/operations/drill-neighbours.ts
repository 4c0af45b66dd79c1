import { createServer as createHttpServer, request, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Certified } from '../support/certificates.js';

/** A system of the bank next to the gateway, whose secret a drill changes. */
abstract class Neighbour {
  protected constructor(private readonly server: Server) {}

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  protected async listen(port = 0): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A sign-on with the protocol of the sandbox bank's, as far as the first page of a customer goes. */
export class SignOn extends Neighbour {
  private constructor(readonly accepted: Set<string>) {
    super(
      createHttpServer((asked, answer) => {
        asked.resume();
        const [, credential = ''] = /^Bearer (.*)$/.exec(asked.headers.authorization ?? '') ?? [];
        const isAccepted = accepted.has(credential);
        answer.writeHead(isAccepted ? 201 : 401, { 'content-type': 'application/json' });
        answer.end(JSON.stringify(isAccepted ? { ticket: 'ticket', via: 'the inbox' } : {}));
      }),
    );
  }

  static async start(...accepted: readonly string[]): Promise<SignOn> {
    const signOn = new SignOn(new Set(accepted));
    await signOn.listen();
    return signOn;
  }
}

/** A proxy that ends the mutual TLS of TPPs, and passes each certificate on with its secret. */
export class TlsProxy extends Neighbour {
  secret = '';

  private constructor({ certificatePem, keyPem }: Certified, ca: string, port: number) {
    super(
      createHttpsServer({ cert: certificatePem, key: keyPem, ca, requestCert: true }, (asked, answer) => {
        const certificate = (asked.socket as TLSSocket).getPeerX509Certificate()?.raw.toString('base64') ?? '';
        const proof = { 'client-cert': `:${certificate}:`, 'x-proxy-secret': this.secret };
        const { url: path, method, headers } = asked;
        const onward = request({ port, path, method, headers: { ...headers, ...proof } }, (back) => {
          answer.writeHead(back.statusCode ?? 502, back.headers);
          back.pipe(answer);
        });
        onward.on('error', () => answer.writeHead(502).end());
        asked.pipe(onward);
      }),
    );
  }

  /** @param port of the gateway */
  static async start(own: Certified, ca: string, port: number): Promise<TlsProxy> {
    const proxy = new TlsProxy(own, ca, port);
    await proxy.listen();
    return proxy;
  }
}
