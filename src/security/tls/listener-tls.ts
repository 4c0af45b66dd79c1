import { constants, type X509Certificate } from 'node:crypto';
import type { Server, ServerOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../../clock/clock.js';
import { BootError } from '../../config/boot-error.js';
import type { TlsFiles } from '../../config/config.js';
import { certificatesOf, privateKeyOf, readPem } from '../../config/pem-files.js';

/**
 * FAPI 1.0 Advanced, section 8.5, and RFC 9325, section 4.2: in TLS 1.2 a key exchange with forward secrecy, and AES-GCM.
 * Every suite of TLS 1.3 is of that kind. No client may renegotiate within a connection.
 */
const terms = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'DHE-RSA-AES128-GCM-SHA256',
    'DHE-RSA-AES256-GCM-SHA384',
  ].join(':'),
  honorCipherOrder: true,
  // Without these parameters OpenSSL never chooses a DHE suite.
  dhparam: 'auto',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const;

/** Whether a listener asks clients for a certificate and rejects a client without an accepted one. */
export type ClientCertificateMode = 'none' | 'requested' | 'required';

/** The certificate that a listener shows, and when it expires. */
export interface ShownCertificate {
  readonly setting: string;
  /** The end of the certificate of the chain that expires first. */
  readonly expiresAtMs: number;
}

type Material = Required<Pick<ServerOptions, 'cert' | 'key'>> & Pick<ServerOptions, 'ca'>;

/**
 * The TLS of one listener. The rules are the same at every listener, and it can read its files again while it listens. An
 * open connection keeps its certificate; the next connection sees the new one.
 */
export class ListenerTls {
  private material: Material;
  private expiresAtMs: number;
  private readonly servers = new Set<Server>();

  /**
   * @param prefix of the names of its settings, e.g. `MTLS` for `MTLS_CERT_FILE`
   * @throws BootError of one line for files that cannot be used
   */
  constructor(
    private readonly prefix: string,
    private readonly files: TlsFiles,
    private readonly mode: ClientCertificateMode,
    private readonly clock: Clock,
  ) {
    ({ material: this.material, expiresAtMs: this.expiresAtMs } = this.read());
  }

  get shown(): ShownCertificate {
    return { setting: `${this.prefix}_CERT_FILE`, expiresAtMs: this.expiresAtMs };
  }

  /** Whether a start, or a renewal, would refuse the files as they are now. */
  get isRefusedNow(): boolean {
    try {
      this.read();
      return false;
    } catch (error) {
      if (error instanceof BootError) return true;
      throw error;
    }
  }

  get asksForCertificates(): boolean {
    return this.mode !== 'none';
  }

  get options(): ServerOptions {
    return {
      ...terms,
      ...this.material,
      ...(this.mode !== 'none' && { requestCert: true, rejectUnauthorized: this.mode === 'required' }),
    };
  }

  /** Call this with the server that was made with {@link options}. */
  servedBy(server: Server): void {
    this.servers.add(server);
  }

  /** Reads the files again. @returns a function that applies them @throws BootError; then nothing has changed */
  renew(): () => void {
    const { material, expiresAtMs } = this.read();
    return () => {
      this.material = material;
      this.expiresAtMs = expiresAtMs;
      for (const server of this.servers) server.setSecureContext({ ...terms, ...material });
    };
  }

  private read(): { readonly material: Material; readonly expiresAtMs: number } {
    const file = (kind: string, path: string) => ({ setting: `${this.prefix}_${kind}_FILE`, path });
    const certFile = file('CERT', this.files.certFile);
    const keyFile = file('KEY', this.files.keyFile);
    const cert = readPem(certFile);
    const key = readPem(keyFile);
    const chain = certificatesOf(certFile, cert);
    if (!chain[0].checkPrivateKey(privateKeyOf(keyFile, key)))
      throw new BootError(
        `${keyFile.setting} "${keyFile.path}" is not the key of the certificate ${certFile.setting} "${certFile.path}": name the two that belong together`,
      );
    const expiresAtMs = Math.min(...chain.map(endOf));
    if (expiresAtMs <= this.clock.nowMs())
      throw new BootError(
        `${certFile.setting} "${certFile.path}" expired at ${new Date(expiresAtMs).toISOString()}: renew it`,
      );
    const material = { cert, key, ...this.readAuthorities() };
    refuseUnusable(certFile.setting, keyFile.setting, material);
    return { material, expiresAtMs };
  }

  private readAuthorities(): Pick<Material, 'ca'> {
    const { clientCaFile: path } = this.files;
    if (path === undefined) return {};
    const file = { setting: `${this.prefix}_CLIENT_CA_FILE`, path };
    const ca = readPem(file);
    certificatesOf(file, ca);
    return { ca };
  }
}

const endOf = ({ validTo }: X509Certificate): number => Date.parse(validTo);

/** Only OpenSSL finds some faults, such as a key that is too short. */
function refuseUnusable(certSetting: string, keySetting: string, material: Material): void {
  try {
    createSecureContext({ ...terms, ...material });
  } catch (error) {
    const { code = 'no reason is given' } = error as NodeJS.ErrnoException;
    throw new BootError(`${certSetting} and ${keySetting} cannot be used for TLS (${code}): name others`);
  }
}
