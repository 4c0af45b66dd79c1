/** PEM files of a listener that ends TLS itself. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** The authorities of the certificates of the listener's clients. */
  readonly clientCaFile?: string;
}

/** The same, of a listener for TPPs. */
export interface TppTlsFiles extends TlsFiles {
  readonly clientCaFile: string;
  /** The certificate revocation lists of these authorities. */
  readonly clientCrlFile?: string;
}
