import { createHash, X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { ProxyConfig } from '../../config/config.js';
import { equalSecrets } from '../equal-secrets.js';

const clientAuthentication = '1.3.6.1.5.5.7.3.2';

export interface ClientCertificate {
  readonly certificate: X509Certificate;
  /** SHA-256 (RFC 8705, `x5t#S256`). */
  readonly thumbprint: string;
  /** Whether an accepted authority issued it for clients. */
  readonly issued: boolean;
  /** Revoked, or TLS could not find out whether it is: it proves nothing. */
  readonly mayBeRevoked: boolean;
  /** Why it is not accepted, as OpenSSL names it; absent where a proxy ended TLS. */
  readonly fault?: string;
}

/** Finds the certificate that the TPP presented, if any. No other place decides which peer may report a certificate. */
export class ClientCertificates {
  private readonly bySocket = new WeakMap<Socket, ClientCertificate>();
  /** Parsing a certificate costs about 0.1 ms, and a TPP sends the same one with every request. */
  private readonly byHeader = new LRUCache<string, { found: ClientCertificate | undefined }>({ max: 1_000 });
  private readonly peers = new BlockList();
  private readonly secrets: readonly string[];

  /**
   * @param authorities the authorities of the TPPs' certificates, where a proxy passes them on
   * @param hasLists whether the listener that takes unaccepted certificates too has revocation lists
   */
  constructor(
    private readonly proxy: ProxyConfig | undefined,
    private readonly authorities: readonly X509Certificate[] = [],
    private readonly hasLists = false,
  ) {
    this.secrets = proxy?.secrets ?? [];
    for (const range of proxy?.trustedPeers ?? []) {
      const [network, prefix] = range.split('/');
      this.peers.addSubnet(network ?? '', Number(prefix), isIPv6(network ?? '') ? 'ipv6' : 'ipv4');
    }
  }

  /** The certificate by which the TPP proves who it is. One that may be revoked proves nothing. */
  trusted(request: IncomingMessage): ClientCertificate | undefined {
    const presented = this.presented(request);
    return presented?.mayBeRevoked === true ? undefined : presented;
  }

  /** The certificate of the connection, also where it proves nothing. Use it only to inform its holder and the bank. */
  presented(request: IncomingMessage): ClientCertificate | undefined {
    const { socket } = request;
    // Where the connection itself has mutual TLS, no header can name another certificate.
    return this.proxy === undefined || socket instanceof TLSSocket
      ? this.ofSocket(socket)
      : this.ofHeader(request, this.proxy);
  }

  private ofSocket(socket: Socket): ClientCertificate | undefined {
    if (!(socket instanceof TLSSocket)) return undefined;
    const cached = this.bySocket.get(socket);
    if (cached !== undefined) return cached;
    // The handshake proved that the peer has the private key. The binding of the token decides whose certificate it is (RFC
    // 8705, section 3): the TPP may have registered one that no authority issued.
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) return undefined;
    const { authorized: issued, authorizationError: fault } = socket;
    const found = {
      certificate,
      thumbprint: thumbprintOf(certificate),
      issued,
      // Which error OpenSSL names depends on the chain that the client sends: without its intermediate certificate a revoked
      // one is only of an unknown authority. No list can name a self-signed one.
      mayBeRevoked: this.hasLists && !issued && !certificate.verify(certificate.publicKey),
      ...(!issued && { fault: String(fault) }),
    };
    this.bySocket.set(socket, found);
    return found;
  }

  /** Only a configured peer that also knows the secret may report a certificate. A header that was sent twice is ignored. */
  private ofHeader(request: IncomingMessage, proxy: ProxyConfig): ClientCertificate | undefined {
    const address = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
    if (!this.peers.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return undefined;
    const given = single(request, 'x-proxy-secret');
    // Each is compared, so that the duration does not show which was right.
    if (!this.secrets.map((secret) => equalSecrets(given, secret)).includes(true)) return undefined;
    const header = single(request, proxy.certificateHeader);
    if (header === undefined) return undefined;
    const cached = this.byHeader.get(header);
    if (cached !== undefined) return cached.found;
    const certificate = parseHeader(header);
    const found = certificate && {
      certificate,
      thumbprint: thumbprintOf(certificate),
      issued: this.isIssued(certificate),
      mayBeRevoked: false,
    };
    this.byHeader.set(header, { found });
    return found;
  }

  /** The checks that a TLS handshake makes of a client's certificate (RFC 5280, section 4.2.1.12), except its dates. */
  private isIssued(certificate: X509Certificate): boolean {
    // Node's name for the extended key usage.
    const usage = certificate.keyUsage as readonly string[] | undefined;
    return (
      (usage === undefined || usage.includes(clientAuthentication)) &&
      this.authorities.some(
        (authority) => authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
      )
    );
  }
}

export function isCurrent({ certificate }: ClientCertificate, nowMs: number): boolean {
  return Date.parse(certificate.validFrom) <= nowMs && nowMs < Date.parse(certificate.validTo);
}

function single(request: IncomingMessage, name: string): string | undefined {
  const values = request.headersDistinct[name];
  return values?.length === 1 ? values[0] : undefined;
}

/** RFC 9440 (`:base64 of the DER:`) or a PEM in percent-encoding. */
function parseHeader(header: string): X509Certificate | undefined {
  try {
    const der = /^:([A-Za-z0-9+/=]+):$/.exec(header)?.[1];
    return new X509Certificate(der ? Buffer.from(der, 'base64') : decodeURIComponent(header));
  } catch {
    // Not a certificate: treated as absent, so that a bound token is refused.
    return undefined;
  }
}

function thumbprintOf(certificate: X509Certificate): string {
  return createHash('sha256').update(certificate.raw).digest('base64url');
}
