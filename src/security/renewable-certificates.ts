import { Inject, Injectable } from '@nestjs/common';
import type { ListenerTls } from './tls/listener-tls.js';
import { LISTENERS_TLS, type ListenersTls } from './tls/listeners-tls.js';
import { TokenVerifier } from './tokens/token-verifier.js';

/** The certificates of files that change while the gateway runs: of its listeners, and those it shows to issuers. */
@Injectable()
export class RenewableCertificates {
  constructor(
    @Inject(LISTENERS_TLS) private readonly tls: ListenersTls,
    private readonly tokens: TokenVerifier,
  ) {}

  /**
   * Reads the files again. No connection is closed.
   *
   * @returns a function that puts them to use @throws BootError for a file with a fault; then nothing has changed
   */
  renew(): () => void {
    const listeners = Object.values(this.tls).map((listener: ListenerTls | undefined) => listener?.renew());
    const renewed = [...listeners, this.tokens.renewCertificates()];
    return () => {
      for (const putToUse of renewed) putToUse?.();
    };
  }
}
