import { Expose, Transform } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsTimeZone,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  NotEquals,
  Validate,
  ValidateIf,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { isIP } from 'node:net';
import { databaseLimits } from './database-config.js';
import { strongAuthentication } from '../open-banking/authentication-classes.js';
import { embeddedIssuer, issuerName } from '../open-banking/tpp-id.js';
import { embeddedNameFault, issuerNameFault } from './issuer.dto.js';
import { keySetSource } from './key-set-source.js';
import { howToMakeSecret } from './secrets.js';
import { otlpProtocols, type TracingConfig } from './tracing-config.js';
import { workersPattern } from './workers.js';

const webUrl = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };
/** Only the adapter knows which schemes its core has; the URL of a folder has no host. */
const coreUrl = { ...webUrl, require_valid_protocol: false, require_host: false };
const folderOrHost = /^(file:\/\/\/|\w+:\/\/(?!\/))./;

/** Converts text to a number only where all of it is a number. `80x` and an empty value are refused, not guessed. */
function Whole(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value,
  );
}

/** Refuses a missing or short secret. The message gives a command that makes one. */
function Secret(): PropertyDecorator {
  return MinLength(32, { message: `$property must be a secret of at least 32 characters: ${howToMakeSecret}` });
}

/** A value that a header can carry. A request could never send any other value. */
function InHeader(): PropertyDecorator {
  return Matches(/^[!-~]([ -~]*[!-~])?$/, {
    message: '$property must be printable ASCII without a space at its ends: it is sent in a header',
  });
}

/** The form that the bank's port reads. */
function Bearer(): PropertyDecorator {
  return Matches(/^[!-~]+$/, {
    message: '$property must be printable ASCII without spaces: it is sent as a bearer credential',
  });
}

/** A former value stands in a list. */
function WithoutComma(): PropertyDecorator {
  return Matches(/^[^,]*$/, { message: '$property must have no comma' });
}

@ValidatorConstraint({ name: 'cidrList' })
class CidrList implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return (
      typeof value === 'string' &&
      value.split(',').every((range) => {
        const [network = '', prefix = ''] = range.trim().split('/');
        const version = isIP(network);
        return version !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
      })
    );
  }
  defaultMessage(): string {
    return '$property must be a comma-separated list of address ranges such as 10.0.0.0/8';
  }
}

/** The gateway's settings of one core. With `CORES` each name in them begins with `CORE_<NAME>_`. */
export class CoreEnvironment {
  @Expose()
  @ValidateIf(({ CORES }: Partial<Environment>) => CORES === undefined)
  @IsUrl(coreUrl, { message: '$property must be a URL with its scheme, such as http://core.bank.example' })
  @Matches(folderOrHost, { message: '$property must be a URL with its scheme, such as http://core.bank.example' })
  CORE_URL!: string;
  @Expose() @Whole() @IsInt() @Min(50) @Max(60_000) CORE_DEADLINE_MS = 3_000;
  @Expose() @Whole() @IsInt() @Min(1) @Max(10_000) CORE_CONNECTIONS = 64;
  @Expose() @IsIn(['refuse', 'allow']) CORE_PLAIN_HTTP = 'refuse';
}

/** The environment variables of the gateway: their text, or the default of the specification. */
export class Environment extends CoreEnvironment {
  @Expose() @IsString() @MinLength(1) HOST = '127.0.0.1';
  @Expose() @Whole() @IsInt() @Min(0) @Max(65_535) PORT = 3000;
  @Expose() @IsString() @MinLength(1) BANK_HOST = '127.0.0.1';
  @Expose() @Whole() @IsInt() @Min(0) @Max(65_535) BANK_PORT = 3001;
  @Expose() @Whole() @IsInt() @Min(1) @Max(1_000_000) MAX_CONNECTIONS = 2_000;
  @Expose() @IsOptional() @IsString() @MinLength(1) BANK_TLS_CERT_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) BANK_TLS_KEY_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) BANK_TLS_CLIENT_CA_FILE?: string;
  @Expose() @IsIn(['refuse', 'allow']) BANK_PLAIN_HTTP = 'refuse';
  @Expose()
  @IsOptional()
  @IsUrl(webUrl)
  @Matches(/^\w+:\/\/[^/?#@]+(\/[^?#]*)?$/, {
    message: 'BASE_URL must be a URL without a user, a query and a fragment',
  })
  BASE_URL?: string;
  @Expose() @Matches(workersPattern, { message: 'WORKERS must be a number of processes, 1 to 99, or auto' }) WORKERS =
    '1';
  @Expose() @Whole() @IsInt() @Min(0) @Max(300) STOP_DELAY_SECONDS = 5;
  @Expose() @IsString() @MinLength(1) PROFILE = 'profile-2';
  @Expose() @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']) LOG_LEVEL = 'info';

  @Expose() @IsString() @MinLength(1) DATA_DIR = './data';
  @Expose() @IsOptional() @IsString() DATABASE_URL?: string;
  @Expose() @Whole() @IsInt() @Min(1) @Max(1_000) DATABASE_POOL_SIZE = databaseLimits.poolSize;
  @Expose() @Whole() @IsInt() @Min(100) @Max(60_000) DATABASE_CONNECT_TIMEOUT_MS = databaseLimits.connectTimeoutMs;
  @Expose() @Whole() @IsInt() @Min(100) @Max(60_000) DATABASE_STATEMENT_TIMEOUT_MS = databaseLimits.statementTimeoutMs;
  @Expose() @IsIn(['refuse', 'allow']) DATABASE_PLAIN_TCP = 'refuse';
  @Expose() @IsIn(['yes', 'no']) MIGRATE = 'yes';

  @Expose() @IsOptional() @IsString() @MinLength(1) TRAIL_DIR?: string;
  @Expose() @IsIn(['count', 'refuse']) TRAIL_FAULT: 'count' | 'refuse' = 'count';
  @Expose() @Secret() TRAIL_KEY!: string;
  @Expose() @WithoutComma() @Secret() PSEUDONYM_KEY!: string;
  @Expose()
  @IsOptional()
  @Matches(/^[^,]{32,}(,[^,]{32,})*$/, {
    message: 'PSEUDONYM_KEYS_BEFORE must be former values of PSEUDONYM_KEY with commas between them',
  })
  PSEUDONYM_KEYS_BEFORE?: string;

  @Expose() @IsString() @MinLength(1) CORE = 'ledger';
  @Expose()
  @IsOptional()
  @Matches(/^[a-z][a-z0-9]{0,19}(,[a-z][a-z0-9]{0,19})*$/, {
    message: 'CORES must be names of small letters and digits with commas between them, such as ledger,cards',
  })
  CORES?: string;
  @Expose() @IsOptional() @IsString() FIRST_CORE?: string;
  @Expose() @IsIn(['refuse', 'partial']) CORE_AWAY: 'refuse' | 'partial' = 'refuse';

  @Expose() @IsString() @MinLength(1) CUSTOMER_AUTHENTICATION = 'http';
  @Expose() @IsOptional() @IsUrl(webUrl) CUSTOMER_AUTHENTICATION_URL?: string;
  @Expose() @IsOptional() @InHeader() @Secret() CUSTOMER_AUTHENTICATION_CREDENTIAL?: string;
  @Expose() @IsIn(['refuse', 'allow']) CUSTOMER_AUTHENTICATION_PLAIN_HTTP = 'refuse';
  @Expose()
  @Matches(/^[!-~]+( [!-~]+)*$/, {
    message: 'CUSTOMER_AUTHENTICATION_ACR must be acr values with one space between them',
  })
  CUSTOMER_AUTHENTICATION_ACR: string = strongAuthentication;

  @Expose()
  @IsOptional()
  @Matches(issuerName, { message: issuerNameFault })
  @NotEquals(embeddedIssuer, { message: embeddedNameFault })
  TOKEN_ISSUER?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) TOKEN_AUDIENCE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) TOKEN_JWKS?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) ISSUERS_FILE?: string;
  @Expose() @IsIn(['refuse', 'allow']) UNBOUND_TOKENS = 'refuse';

  @Expose() @Bearer() @Secret() BANK_CREDENTIAL!: string;
  @Expose() @IsOptional() @Bearer() @Secret() BANK_CREDENTIAL_NEXT?: string;
  @Expose() @Secret() ID_KEY!: string;

  // The defaults are the published values: docs/specification.md, "The authentication window".
  @Expose() @Whole() @IsInt() @Min(1) @Max(86_400) AUTHENTICATION_WINDOW_SECONDS = 300;
  @Expose() @Whole() @IsInt() @Min(0) @Max(3_650) EXEMPT_HISTORY_DAYS = 90;
  @Expose() @Whole() @IsInt() @Min(25) @Max(1_000) PAGE_SIZE = 1_000;
  @Expose() @Whole() @IsInt() @Min(0) @Max(1_000_000) TPP_REQUESTS_PER_SECOND = 500;
  @Expose() @Whole() @IsInt() @Min(1) @Max(1_000_000) TPP_REQUESTS_BURST = 1_000;
  @Expose() @Whole() @IsInt() @Min(0) @Max(1_000_000) TPP_CONSENTS_PER_SECOND = 20;
  @Expose() @Whole() @IsInt() @Min(1) @Max(1_000_000) TPP_CONSENTS_BURST = 100;
  @Expose() @Whole() @IsInt() @Min(0) @Max(1_000_000) TPP_TOKEN_REQUESTS_PER_SECOND = 100;
  @Expose() @Whole() @IsInt() @Min(1) @Max(1_000_000) TPP_TOKEN_REQUESTS_BURST = 500;
  @Expose() @IsIn(['observe', 'enforce']) UNATTENDED_ACCESS: 'observe' | 'enforce' = 'observe';
  @Expose() @Whole() @IsInt() @Min(1) @Max(1_000) UNATTENDED_ACCESS_LIMIT = 4;
  @Expose()
  @Matches(/^[A-Za-z][A-Za-z0-9]{0,15}$/, { message: 'ERROR_CODE_PREFIX must be 1 to 16 letters and digits' })
  ERROR_CODE_PREFIX = 'AIG';
  @Expose() @Whole() @IsInt() @Min(1) @Max(8_760) CONSENT_AUTHORISATION_HOURS = 24;
  @Expose() @IsIn(['Revoked', 'Authorised']) STATUS_AFTER_WITHDRAWAL: 'Revoked' | 'Authorised' = 'Revoked';
  @Expose() @IsIn(['yes', 'no']) TWO_PERSONS = 'no';
  @Expose() @Whole() @IsInt() @Min(1) @Max(10_080) PROPOSAL_MINUTES = 120;
  @Expose() @IsTimeZone() BANK_TIME_ZONE = 'Europe/London';

  @Expose() @IsOptional() @IsIn(['none', 'embedded']) AUTHORISATION_SERVER?: 'none' | 'embedded';
  @Expose()
  @IsOptional()
  @Matches(/^[0-9a-f]{64}$/i, { message: `KEY_ENCRYPTION_KEY must be 64 hexadecimal digits: ${howToMakeSecret}` })
  KEY_ENCRYPTION_KEY?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) BRAND_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) TPPS_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) DIRECTORY_ISSUER?: string;
  @Expose()
  @IsOptional()
  @Matches(keySetSource, { message: 'DIRECTORY_JWKS must be an https URL, an http URL of this machine, or a file' })
  DIRECTORY_JWKS?: string;
  @Expose()
  @IsOptional()
  @Matches(/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/])\S*\{software_id\}\S*$/i, {
    message: 'DIRECTORY_STATEMENTS must be an https URL, or an http URL of this machine, with {software_id} in it',
  })
  DIRECTORY_STATEMENTS?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) DIRECTORY_CA_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) DIRECTORY_BANK_ID?: string;
  @Expose() @Whole() @IsInt() @Min(0) @Max(65_535) BROWSER_PORT = 3003;
  @Expose() @IsOptional() @IsUrl(webUrl) BROWSER_URL?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) BROWSER_TLS_CERT_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) BROWSER_TLS_KEY_FILE?: string;
  @Expose() @Whole() @IsInt() @Min(1) @Max(100) SIGN_IN_STARTS = 5;
  @Expose() @Whole() @IsInt() @Min(60) @Max(86_400) SIGN_IN_WINDOW_SECONDS = 900;
  @Expose() @Whole() @IsInt() @Min(1) @Max(100) SIGN_IN_FREE_STARTS = 3;
  @Expose() @Whole() @IsInt() @Min(0) @Max(86_400) SIGN_IN_DELAY_SECONDS = 60;
  @Expose() @Whole() @IsInt() @Min(1) @Max(100_000) SIGN_IN_ADDRESS_STARTS = 30;
  @Expose() @Whole() @IsInt() @Min(0) @Max(400) SIGN_IN_KNOWN_BROWSER_DAYS = 90;
  @Expose() @IsOptional() @Validate(CidrList) SIGN_IN_PROXIES?: string;
  @Expose() @Whole() @IsInt() @Min(0) @Max(65_535) MTLS_PORT = 3004;
  @Expose() @IsOptional() @IsUrl(webUrl) MTLS_URL?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) MTLS_CERT_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) MTLS_KEY_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) MTLS_CLIENT_CA_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) MTLS_CLIENT_CRL_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) TLS_CERT_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) TLS_KEY_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) TLS_CLIENT_CA_FILE?: string;
  @Expose() @IsOptional() @IsString() @MinLength(1) TLS_CLIENT_CRL_FILE?: string;
  @Expose()
  @IsOptional()
  @Matches(/^[A-Za-z0-9-]+$/, { message: 'CLIENT_CERTIFICATE_HEADER must be the name of a header' })
  CLIENT_CERTIFICATE_HEADER?: string;
  @Expose() @IsOptional() @Validate(CidrList) TRUSTED_PROXIES?: string;
  @Expose() @IsOptional() @InHeader() @Secret() PROXY_SECRET?: string;
  @Expose() @IsOptional() @InHeader() @Secret() PROXY_SECRET_NEXT?: string;

  // The names and the values are those of the OpenTelemetry specification. Its library reads further ones itself.
  @Expose() @IsOptional() @IsIn(['true', 'false']) OTEL_SDK_DISABLED?: string;
  @Expose() @IsOptional() @IsIn(['otlp', 'none']) OTEL_TRACES_EXPORTER?: string;
  @Expose() @IsOptional() @IsUrl(webUrl) OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  @Expose() @IsOptional() @IsUrl(webUrl) OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;
  @Expose() @IsOptional() @IsIn(otlpProtocols) OTEL_EXPORTER_OTLP_PROTOCOL?: TracingConfig['protocol'];
  @Expose() @IsOptional() @IsIn(otlpProtocols) OTEL_EXPORTER_OTLP_TRACES_PROTOCOL?: TracingConfig['protocol'];
}
