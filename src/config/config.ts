import type { CoreConfig } from './core-config.js';
import type { DatabaseConfig } from './database-config.js';
import type { AuthorisationLimits, RateLimitConfig } from './rate-limits.js';

/** Nest injects the settings by this token. */
export const GATEWAY_CONFIG = Symbol('GATEWAY_CONFIG');

/** The gateway's settings: read once at boot, checked, frozen. Nothing else reads the environment. */
export interface GatewayConfig {
  readonly host: string;
  /** The TPPs' port. */
  readonly port: number;
  readonly bankHost: string;
  /** The bank's port: bank-facing API, health and metrics. */
  readonly bankPort: number;
  /** The limit of each port's open connections. */
  readonly maxConnections: number;
  /** Absolute URL under which TPPs reach the gateway, without a trailing slash. Every link begins with it. */
  readonly baseUrl: string;
  readonly profile: string;
  /** How long every listener still answers after the gateway receives the signal to stop, so that load balancers notice it. */
  readonly stopDelayMs: number;
  readonly logLevel: string;
  readonly database: DatabaseConfig;
  readonly trail: TrailConfig;
  /** One core by `CORE`, or those of `CORES` in their order. */
  readonly cores: readonly CoreConfig[];
  /** The bank's sign-on, for the embedded authorization server. */
  readonly customerAuthentication?: {
    readonly name: string;
    readonly url: string;
    /** Every `CUSTOMER_AUTHENTICATION_*` variable. */
    readonly variables: Readonly<Record<string, string>>;
  };
  /** The embedded authorization server. Where it is absent, the gateway loads none of its code. */
  readonly authorisationServer?: AuthorisationServerConfig;
  /** The accepted issuers of access tokens; no two have the same name. */
  readonly issuers: readonly IssuerConfig[];
  readonly tls?: TppTlsFiles;
  /** TLS on the bank's port. With `clientCaFile` the bank's callers need a certificate in addition to the credential. */
  readonly bankTls?: TlsFiles;
  readonly proxy?: ProxyConfig;
  /** Bearer credentials of the bank's authorisation service: each is valid, so that the bank can change from one to the next. */
  readonly bankCredentials: readonly string[];
  /** Key from which every public id is derived. Changing it changes every id. */
  readonly idKey: string;
  readonly rateLimits: RateLimitConfig;
  /** Whether one operator proposes an act against several consents or a TPP, and another approves it. */
  readonly twoPersons: boolean;
  /** Whether traces are taken. The library reads from the environment itself where they go. */
  readonly tracing: boolean;
}

export interface AuthorisationServerConfig {
  /** Where customers' browsers come: never asks for a certificate. Plain HTTP where a proxy ends TLS. */
  readonly browser: {
    readonly host: string;
    readonly port: number;
    /** The origin under which browsers reach it. */
    readonly url: string;
    readonly tls?: Omit<TlsFiles, 'clientCaFile'>;
  };
  /** Where TPPs come, with their certificates: tokens, and the account information API. */
  readonly tpp: {
    readonly host: string;
    readonly port: number;
    /** The origin under which TPPs reach it. */
    readonly url: string;
    /** Absent where a proxy ends mutual TLS and passes the TPP's certificate on: see {@link ProxyConfig}. */
    readonly tls?: TppTlsFiles;
    /** The authorities of the TPPs' certificates that a proxy passes on. */
    readonly clientCaFile?: string;
  };
  /** 32 bytes that encrypt the signing keys in the database. */
  readonly keyEncryptionKey: Buffer;
  /** The TPPs that are registered at each start: see `registerTppsOfFile`. */
  readonly tppsFile?: string;
  /** The directory that confirms TPPs; without it no TPP can register itself. */
  readonly directory?: DirectoryConfig;
  /** The bank's appearance on its customers' pages: see `readBrandFile`. */
  readonly brandFile?: string;
  /** The accepted classes (`acr`) of an authentication. */
  readonly acrValues: readonly string[];
  readonly signIn: SignInConfig;
  readonly limits: AuthorisationLimits;
}

/** Limits of sign-in attempts. An attempt that succeeds does not count. */
export interface SignInConfig {
  /** In the window, for one login name: by all browsers that have not signed in under it, and by each browser that has. */
  readonly starts: number;
  readonly windowMs: number;
  /** This number of attempts has no delay. Each further attempt waits twice as long as the attempt before it. */
  readonly freeStarts: number;
  readonly delayMs: number;
  /** In the window, from one source address, for all login names. */
  readonly addressStarts: number;
  /** How long the gateway remembers that a browser has signed in. */
  readonly knownBrowserMs: number;
  /** Address ranges of the proxies before the browsers' listener, whose `X-Forwarded-For` is believed. */
  readonly proxies: readonly string[];
}

export const defaultSignIn: SignInConfig = {
  starts: 5,
  windowMs: 15 * 60_000,
  freeStarts: 3,
  delayMs: 60_000,
  addressStarts: 30,
  knownBrowserMs: 90 * 86_400_000,
  proxies: [],
};

/** A directory whose software statements the gateway trusts. */
export interface DirectoryConfig {
  /** Equal to `iss` of the statements. */
  readonly issuer: string;
  /** An http(s) URL or a file path of the key set that signs statements. */
  readonly jwks: string;
  /** PEM file of the authorities that sign the certificates of the directory's servers; without it, Node's list. */
  readonly caFile?: string;
  /** A URL with `{software_id}` in it, at which the directory publishes the present statement of a software. */
  readonly statements?: string;
  /** The directory's name for this bank: the audience that registration requests may have. */
  readonly bankId?: string;
}

/** FAPI 1.0 Advanced, section 8.6. A token that any other algorithm signed is refused, even where the key allows it. */
export const tokenAlgorithms = ['PS256', 'ES256'] as const;
export type TokenAlgorithm = (typeof tokenAlgorithms)[number];

/**
 * The required binding of a token: to the TPP's certificate (RFC 8705) or to a key that signs each request (RFC 9449). With
 * `none` a token may be unbound; the gateway still checks a binding that the token has.
 */
export const tokenBindings = ['mtls', 'dpop', 'none'] as const;
export type TokenBinding = (typeof tokenBindings)[number] | 'mtls-or-dpop';

/**
 * An authorization server whose access tokens are accepted. The gateway verifies a token by the issuer's keys, or asks the
 * issuer about it.
 */
export type IssuerConfig = JwtIssuerConfig | IntrospectingIssuerConfig;

interface TokenRules {
  /** Equal to `iss` of the tokens. */
  readonly issuer: string;
  readonly audience: string;
  readonly claims: ClaimMap;
  readonly binding: TokenBinding;
  /** Where it is set, a token of a consent must have one of these values of `acr`. */
  readonly acrValues?: readonly string[];
  /** The token's subject is the core's reference of the customer, and must be the customer who authorised the consent. */
  readonly subjectIsCustomer: boolean;
}

export interface JwtIssuerConfig extends TokenRules {
  /** An http(s) URL or a file path of the issuer's JSON Web Key Set. */
  readonly jwks: string;
  /** PEM file of the authorities that sign the certificate of the server of `jwks`; without it, Node's list. */
  readonly jwksCaFile?: string;
  readonly algorithms: readonly TokenAlgorithm[];
  /** The `typ` of the tokens' header: RFC 9068, section 2.1. */
  readonly typ: string;
}

/** RFC 7662. The gateway authenticates with a client certificate (RFC 8705, section 2). */
export interface IntrospectingIssuerConfig extends TokenRules {
  readonly introspection: {
    readonly url: string;
    readonly clientId: string;
    readonly certificateFile: string;
    readonly keyFile: string;
    readonly caFile: string;
    /** How long the gateway uses an answer. A token that is revoked stays usable for at most this time. */
    readonly cacheMs: number;
  };
}

/** The claims that hold the values: each the name of a claim, or a path of names with dots for a nested claim. */
export interface ClaimMap {
  readonly consentId: string;
  /** Seconds since 1970 of the customer's authentication. */
  readonly authenticationTime: string;
  readonly acr: string;
  readonly clientId: string;
  readonly subject: string;
}

/** RFC 9068, and the standard's own name of the consent. */
export const defaultClaims: ClaimMap = {
  consentId: 'openbanking_intent_id',
  authenticationTime: 'auth_time',
  acr: 'acr',
  clientId: 'client_id',
  subject: 'sub',
};

/** A proxy that ends mutual TLS and passes the client's certificate on in a header. All three are needed. */
export interface ProxyConfig {
  readonly certificateHeader: string;
  /** CIDR ranges of the proxy's addresses. */
  readonly trustedPeers: readonly string[];
  /** The secrets of which the proxy sends one as `x-proxy-secret`: several while the proxies change from one to the next. */
  readonly secrets: readonly string[];
}

/** The decision trail: docs/operate/trail.md. */
export interface TrailConfig {
  readonly directory: string;
  /** `count` counts lost events while the trail cannot be written; `refuse` refuses requests. */
  readonly fault: 'count' | 'refuse';
  /** The secret from which the key is derived that signs the roots of segments. */
  readonly key: string;
  /** The keys of customers' and accounts' pseudonyms: the present one, then previous ones, which only a search uses. */
  readonly pseudonymKeys: readonly string[];
}

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
