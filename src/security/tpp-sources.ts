import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { recentlyUsed } from '../persistence/recently-used.js';
import { sourceAddresses } from './source-address.js';
import { ClientCertificates, isCurrent } from './tls/client-certificate.js';

/** The number of proven certificates that a process remembers. */
const mostRemembered = 10_000;

/** For a limit of requests whose caller is not known yet. */
export interface Source {
  readonly subject: string;
  /** Stands for the source in a refusal. */
  readonly name: string;
}

/**
 * The source of a request at a port for TPPs: its certificate or, without one, its address. A caller with an accepted
 * certificate never pays for others at its address.
 */
@Injectable()
export class TppSources {
  private readonly proven = recentlyUsed<true>(mostRemembered);
  private readonly addressOf: (request: IncomingMessage) => string | undefined;

  constructor(
    private readonly certificates: ClientCertificates,
    private readonly clock: Clock,
    @Inject(GATEWAY_CONFIG) { proxy }: Pick<GatewayConfig, 'proxy'>,
  ) {
    this.addressOf = sourceAddresses(proxy?.trustedPeers ?? []);
  }

  /** Anyone can make a certificate. It counts as a source only if an authority issued it or a client proved itself by it. */
  sourceOf(request: IncomingMessage): Source {
    const presented = this.certificates.trusted(request);
    const isSomebodys =
      presented !== undefined &&
      ((presented.issued && isCurrent(presented, this.clock.nowMs())) || this.proven.has(presented.thumbprint));
    if (isSomebodys) return { subject: `certificate ${presented.thumbprint}`, name: 'certificate' };
    return { subject: `tpp ${this.addressOf(request) ?? ''}`, name: 'address without a certificate of a TPP' };
  }

  /** A client has proven itself on this connection. */
  prove(request: IncomingMessage): void {
    const presented = this.certificates.trusted(request);
    if (presented !== undefined) this.proven.set(presented.thumbprint, true);
  }
}
