import { constants, type X509Certificate } from 'node:crypto';
import type { Server, ServerOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../../clock/clock.js';
import { BootError } from '../../config/boot-error.js';
import type { TlsFiles, TppTlsFiles } from '../../config/config.js';
import { certificatesOf, privateKeyOf, readPem, type NamedFile } from '../../config/pem-files.js';
import { readRevocationLists } from './revocation-lists.js';

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

type Material = Required<Pick<ServerOptions, 'cert' | 'key'>> & Pick<ServerOptions, 'ca' | 'crl'>;

interface FilesRead {
  readonly material: Material;
  readonly expiresAtMs: number;
  readonly listsExpireAtMs: number | undefined;
}

/**
 * The TLS of one listener. The rules are the same at every listener, and it can read its files again while it listens. An
 * open connection keeps its certificate; the next connection sees the new one.
 */
export class ListenerTls {
  private inUse: FilesRead;
  private readonly servers = new Set<Server>();

  /**
   * @param prefix of the names of its settings, e.g. `MTLS` for `MTLS_CERT_FILE`
   * @throws BootError of one line for files that cannot be used
   */
  constructor(
    private readonly prefix: string,
    private readonly files: TlsFiles | TppTlsFiles,
    private readonly mode: ClientCertificateMode,
    private readonly clock: Clock,
  ) {
    this.inUse = this.read();
  }

  get shown(): ShownCertificate {
    return { setting: `${this.prefix}_CERT_FILE`, expiresAtMs: this.inUse.expiresAtMs };
  }

  /** When the revocation lists expire that are in use, if any. From then on TLS accepts no certificate of their authority. */
  get revocationLists(): { readonly setting: string; readonly expiresAtMs: number } | undefined {
    const { listsExpireAtMs: expiresAtMs } = this.inUse;
    return expiresAtMs === undefined ? undefined : { setting: `${this.prefix}_CLIENT_CRL_FILE`, expiresAtMs };
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
      ...this.inUse.material,
      ...(this.mode !== 'none' && { requestCert: true, rejectUnauthorized: this.mode === 'required' }),
    };
  }

  /** Call this with the server that was made with {@link options}. */
  servedBy(server: Server): void {
    this.servers.add(server);
  }

  /** Reads the files again. @returns a function that applies them @throws BootError; then nothing has changed */
  renew(): () => void {
    const renewed = this.read();
    return () => {
      this.inUse = renewed;
      for (const server of this.servers) server.setSecureContext({ ...terms, ...renewed.material });
    };
  }

  private read(): FilesRead {
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
    const { listsExpireAtMs, ...ofClients } = this.readOfClients(file);
    const material = { cert, key, ...ofClients };
    refuseUnusable(certFile.setting, keyFile.setting, material);
    return { material, expiresAtMs, listsExpireAtMs };
  }

  private readOfClients(
    file: (kind: string, path: string) => NamedFile,
  ): Pick<Material, 'ca' | 'crl'> & Pick<FilesRead, 'listsExpireAtMs'> {
    const { clientCaFile, clientCrlFile }: Partial<TppTlsFiles> = this.files;
    if (clientCaFile === undefined) return { listsExpireAtMs: undefined };
    const caFile = file('CLIENT_CA', clientCaFile);
    const ca = readPem(caFile);
    const authorities = certificatesOf(caFile, ca);
    if (clientCrlFile === undefined) return { ca, listsExpireAtMs: undefined };
    const { crl, expiresAtMs } = readRevocationLists(
      file('CLIENT_CRL', clientCrlFile),
      authorities,
      this.clock.nowMs(),
    );
    return { ca, crl: [...crl], listsExpireAtMs: expiresAtMs };
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
