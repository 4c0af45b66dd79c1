import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { BootError } from './boot-error.js';
import type { GatewayConfig } from './config.js';
import { Environment } from './environment.dto.js';

/**
 * The gateway's settings from environment variables, checked and frozen. A {@link BootError} names every setting that
 * is wrong, in one line, and never repeats a value: it may be a secret.
 */
export function loadConfig(variables: Readonly<Record<string, string | undefined>> = process.env): GatewayConfig {
  // An empty variable is how a shell or a compose file says "not set".
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const environment = plainToInstance(Environment, given, {
    excludeExtraneousValues: true,
    exposeDefaultValues: true,
  });
  const faults = validateSync(environment).flatMap((fault) => Object.values(fault.constraints ?? {}).slice(0, 1));
  const tls = together(environment, ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'TLS_CLIENT_CA_FILE'], faults);
  const proxy = together(environment, ['CLIENT_CERTIFICATE_HEADER', 'TRUSTED_PROXIES', 'PROXY_SECRET'], faults);
  if (tls && proxy) faults.push('TLS_CERT_FILE and CLIENT_CERTIFICATE_HEADER exclude each other: one place ends TLS');
  if (faults.length > 0) throw new BootError(`settings: ${faults.join('; ')} (see .env.example)`);

  return Object.freeze<GatewayConfig>({
    host: environment.HOST,
    port: environment.PORT,
    bankHost: environment.BANK_HOST,
    bankPort: environment.BANK_PORT,
    baseUrl: (environment.BASE_URL ?? `http://localhost:${environment.PORT}`).replace(/\/+$/, ''),
    profile: environment.PROFILE,
    logLevel: environment.LOG_LEVEL,
    database: {
      dataDir: environment.DATA_DIR,
      ...(environment.DATABASE_URL !== undefined && { url: environment.DATABASE_URL }),
    },
    core: {
      name: environment.CORE,
      url: environment.CORE_URL.replace(/\/+$/, ''),
      deadlineMs: environment.CORE_DEADLINE_MS,
      connections: environment.CORE_CONNECTIONS,
    },
    token: {
      issuer: environment.TOKEN_ISSUER,
      audience: environment.TOKEN_AUDIENCE,
      jwks: environment.TOKEN_JWKS,
    },
    ...(tls && { tls: { certFile: tls[0], keyFile: tls[1], clientCaFile: tls[2] } }),
    ...(proxy && {
      proxy: {
        certificateHeader: proxy[0].toLowerCase(),
        trustedPeers: proxy[1].split(',').map((range) => range.trim()),
        secret: proxy[2],
      },
    }),
    bankCredential: environment.BANK_CREDENTIAL,
    idKey: environment.ID_KEY,
    pageSize: environment.PAGE_SIZE,
    authenticationWindowMs: environment.AUTHENTICATION_WINDOW_SECONDS * 1_000,
    exemptHistoryMs: environment.EXEMPT_HISTORY_DAYS * 86_400_000,
    errorCodePrefix: environment.ERROR_CODE_PREFIX,
    bankTimeZone: environment.BANK_TIME_ZONE,
  });
}

type Setting = keyof Environment;

/** All of them or none: half of such a group is a gateway that looks protected and is not. */
function together(
  environment: Environment,
  names: readonly [Setting, Setting, Setting],
  faults: string[],
): [string, string, string] | undefined {
  const values = names.map((name) => environment[name] as string | undefined);
  if (values.every((value) => value === undefined)) return undefined;
  if (values.some((value) => value === undefined)) faults.push(`${names.join(', ')} must be set together`);
  return values as [string, string, string];
}
