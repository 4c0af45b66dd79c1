import { createHash, timingSafeEqual, X509Certificate } from 'node:crypto';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { ProxyConfig } from '../config/config.js';
import type { FastifyRequest } from 'fastify';

/** Finds the SHA-256 thumbprint (RFC 8705, `x5t#S256`) of the certificate that the TPP presented, if it presented one. */
export class ClientCertificates {
  private readonly bySocket = new WeakMap<Socket, string>();
  /** Parsing a certificate costs about 0.1 ms, and a TPP sends the same one with every request. */
  private readonly byHeader = new LRUCache<string, { thumbprint: string | undefined }>({ max: 1_000 });
  private readonly peers = new BlockList();

  constructor(private readonly proxy: ProxyConfig | undefined) {
    for (const range of proxy?.trustedPeers ?? []) {
      const [network, prefix] = range.split('/');
      this.peers.addSubnet(network ?? '', Number(prefix), isIPv6(network ?? '') ? 'ipv6' : 'ipv4');
    }
  }

  thumbprint(request: FastifyRequest): string | undefined {
    const { socket } = request.raw;
    // Where the connection itself has mutual TLS, nothing that it carries can speak for another certificate.
    return this.proxy === undefined || socket instanceof TLSSocket
      ? this.ofSocket(socket)
      : this.ofHeader(request, this.proxy);
  }

  private ofSocket(socket: Socket): string | undefined {
    if (!(socket instanceof TLSSocket)) return undefined;
    const known = this.bySocket.get(socket);
    if (known !== undefined) return known;
    // The handshake proved that the peer has its key. Whose it is was judged when the token was bound to it (RFC 8705,
    // section 3), which may be a certificate that the TPP registered and no authority issued.
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) return undefined;
    const thumbprint = thumbprintOf(certificate);
    this.bySocket.set(socket, thumbprint);
    return thumbprint;
  }

  /** Believed only from a configured peer that also knows the secret; a header sent twice is nobody's certificate. */
  private ofHeader(request: FastifyRequest, proxy: ProxyConfig): string | undefined {
    const address = request.raw.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
    if (!this.peers.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return undefined;
    if (!equalSecrets(single(request, 'x-proxy-secret'), proxy.secret)) return undefined;
    const header = single(request, proxy.certificateHeader);
    if (header === undefined) return undefined;
    const known = this.byHeader.get(header);
    if (known !== undefined) return known.thumbprint;
    const thumbprint = parseHeader(header);
    this.byHeader.set(header, { thumbprint });
    return thumbprint;
  }
}

/** Constant time: tells nothing of how much of the secret was right. */
export function equalSecrets(given: string | undefined, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(expected)) && given !== undefined;
}

function single(request: FastifyRequest, name: string): string | undefined {
  const values = request.raw.headersDistinct[name];
  return values?.length === 1 ? values[0] : undefined;
}

/** RFC 9440 (`:base64 of the DER:`) or a PEM in percent-encoding. */
function parseHeader(header: string): string | undefined {
  try {
    const der = /^:([A-Za-z0-9+/=]+):$/.exec(header)?.[1];
    return thumbprintOf(new X509Certificate(der ? Buffer.from(der, 'base64') : decodeURIComponent(header)));
  } catch {
    // Not a certificate: the same as none, and a bound token is refused for it.
    return undefined;
  }
}

function thumbprintOf(certificate: X509Certificate): string {
  return createHash('sha256').update(certificate.raw).digest('base64url');
}
