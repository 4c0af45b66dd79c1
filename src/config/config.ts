/** The gateway's settings: read once at boot, checked, frozen. Nothing else reads the environment. */
export interface GatewayConfig {
  readonly host: string;
  /** The TPPs' port. */
  readonly port: number;
  readonly bankHost: string;
  /** The bank's port: bank-facing API, health and metrics. */
  readonly bankPort: number;
  /** Absolute URL under which TPPs reach the gateway, without a trailing slash. Every link is built on it. */
  readonly baseUrl: string;
  readonly profile: string;
  readonly logLevel: string;
  readonly database: DatabaseConfig;
  readonly core: {
    readonly name: string;
    readonly url: string;
    readonly deadlineMs: number;
    readonly connections: number;
  };
  readonly token: TokenConfig;
  readonly tls?: { readonly certFile: string; readonly keyFile: string; readonly clientCaFile: string };
  readonly proxy?: ProxyConfig;
  /** What the bank's authorisation service presents as a bearer credential. */
  readonly bankCredential: string;
  /** Key from which every public id is derived. Changing it changes every id. */
  readonly idKey: string;
  readonly pageSize: number;
  readonly authenticationWindowMs: number;
  /** Transactions younger than this are exempt from the authentication window. */
  readonly exemptHistoryMs: number;
  /** `<prefix>` of the bank's own error codes, `UK.<prefix>.…`. */
  readonly errorCodePrefix: string;
  /** IANA name of the zone whose calendar days the bank uses. */
  readonly bankTimeZone: string;
}

export interface DatabaseConfig {
  /** PostgreSQL; without it the gateway keeps its data in an embedded PGlite under `dataDir`. */
  readonly url?: string;
  readonly dataDir: string;
}

export interface TokenConfig {
  readonly issuer: string;
  readonly audience: string;
  /** An http(s) URL or a file path of the issuer's JSON Web Key Set. */
  readonly jwks: string;
}

/** A proxy that terminates mutual TLS and passes the client's certificate on in a header. All three are needed. */
export interface ProxyConfig {
  readonly certificateHeader: string;
  /** CIDR ranges of the proxy's addresses. */
  readonly trustedPeers: readonly string[];
  /** What the proxy sends as `x-proxy-secret`. */
  readonly secret: string;
}
