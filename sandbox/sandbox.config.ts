import { resolve } from 'node:path';
import { namesFileOfSetting, withFiles } from '../src/config/setting-files.js';
import { listOf } from '../src/config/setting-kinds.js';
import { settingNames } from '../src/config/setting-names.js';
import { FaultyStart } from './faulty-start.js';
import { sandboxSettings } from './sandbox-settings.js';

/** `aud` of the tokens that the sandbox's issuer mints. */
export const defaultAudience = 'account-information';
/** Without a port: a TPP is its issuer and its client id, and keeps its consents when the sandbox moves to other ports. */
export const defaultIssuer = 'urn:example:sandbox-bank';

/** A customer of another core than the sandbox's, or of several. */
export interface SandboxCustomer {
  readonly reference: string;
  /** Where a core knows the customer by another reference: by the core's name in `CORES`. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

/** The settings that the sandbox shares with the gateway, read from the same variables. A secret that is not set is made. */
export type SandboxConfig = Readonly<ReturnType<typeof readSandboxConfig>>;

/** Reads one setting; an empty one is not set. */
type Read = (name: string) => string | undefined;

export function environmentOfProcess(): Readonly<NodeJS.ProcessEnv> {
  return process.env;
}

/** Throws {@link FaultyStart} where a value cannot be used. */
export function readSandboxConfig(given: Readonly<NodeJS.ProcessEnv> = environmentOfProcess()) {
  const environment = withoutFiles(given);
  const set = reading(environment);
  if (set('BANK_TLS_CERT_FILE') !== undefined)
    throw new FaultyStart(
      'BANK_TLS_CERT_FILE is for a gateway alone: the sandbox speaks to its BANK_PORT over plain HTTP',
    );
  const ports = readPorts(set);
  return {
    ...ports,
    ...gatewaySettings(set, ports),
    ...bankSettings(set, `http://127.0.0.1:${ports.sandboxPort}`),
    sandboxHost: set('SANDBOX_HOST') ?? '127.0.0.1',
    tppUrl: `http://localhost:${ports.tppPort}`,
    /** Absolute. */
    dataDir: dataDirOf(environment),
    /** Where the processes of the stack write their log. */
    log: oneOf('SANDBOX_LOG', set('SANDBOX_LOG') ?? 'file', ['file', 'stdout']),
    /** All settings, for the processes of the stack. */
    environment,
  };
}

/** Absolute. */
export function dataDirOf(environment: Readonly<NodeJS.ProcessEnv>): string {
  const set = reading(environment);
  return resolve(set('DATA_DIR') ?? 'data');
}

function reading(environment: Readonly<NodeJS.ProcessEnv>): Read {
  return (name) => environment[name]?.trim() || undefined;
}

type Ports = ReturnType<typeof readPorts>;

function readPorts(set: Read) {
  return {
    port: portFrom('PORT', set('PORT'), 3000),
    bankPort: portFrom('BANK_PORT', set('BANK_PORT'), 3001),
    sandboxPort: portFrom('SANDBOX_PORT', set('SANDBOX_PORT'), 3002),
    browserPort: portFrom('BROWSER_PORT', set('BROWSER_PORT'), 3003),
    mtlsPort: portFrom('MTLS_PORT', set('MTLS_PORT'), 3004),
    tppPort: portFrom('TPP_PORT', set('TPP_PORT'), 3005),
    consolePort: portFrom('CONSOLE_PORT', set('CONSOLE_PORT'), 3006),
  };
}

/** The gateway's addresses and rules. */
function gatewaySettings(set: Read, { port, browserPort, mtlsPort }: Ports) {
  return {
    /** For TPPs, without a trailing slash. */
    baseUrl: (set('BASE_URL') ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    profile: set('PROFILE') ?? 'profile-2',
    idKey: set('ID_KEY'),
    trailKey: set('TRAIL_KEY'),
    pseudonymKey: set('PSEUDONYM_KEY'),
    /** Whether the gateway's own authorization server runs, and with it the sandbox's TPP. */
    authorisationServer: oneOf('AUTHORISATION_SERVER', set('AUTHORISATION_SERVER') ?? 'embedded', ['embedded', 'none']),
    browserUrl: set('BROWSER_URL') ?? `http://localhost:${browserPort}`,
    mtlsUrl: set('MTLS_URL') ?? `https://localhost:${mtlsPort}`,
  };
}

/** The bank's parts that the gateway asks: the sandbox bank's own, unless others are set. */
function bankSettings(set: Read, sandboxUrl: string) {
  const ownSignOn = `${sandboxUrl}/sign-on`;
  const signOnUrl = set('CUSTOMER_AUTHENTICATION_URL') ?? ownSignOn;
  return {
    bankCredential: presentOf(set('BANK_CREDENTIAL')),
    signOnCredential: set('CUSTOMER_AUTHENTICATION_CREDENTIAL'),
    signOnUrl,
    hasOwnSignOn: signOnUrl === ownSignOn,
    directoryUrl: `${sandboxUrl}/directory`,
    tokenIssuer: set('TOKEN_ISSUER') ?? defaultIssuer,
    tokenAudience: set('TOKEN_AUDIENCE') ?? defaultAudience,
    tokenJwks: set('TOKEN_JWKS') ?? `${sandboxUrl}/issuer/jwks.json`,
    ...coreSettings(set, `${sandboxUrl}/ledger`),
  };
}

function coreSettings(set: Read, ownUrl: string) {
  const coreUrl = set('CORE_URL') ?? ownUrl;
  const [cores, customers] = [set('CORES'), set('SANDBOX_CUSTOMERS')];
  return {
    core: set('CORE') ?? 'ledger',
    coreUrl,
    /** In place of the two above. */
    ...(cores !== undefined && { cores }),
    /** Whether the core is the sandbox bank's. */
    hasOwnCore: cores === undefined && coreUrl.replace(/\/+$/, '') === ownUrl,
    /** Customers of other cores, who bank here in place of the sandbox's people. */
    ...(customers !== undefined && { customers: customersIn(customers) }),
  };
}

/** The sign-on takes 200 characters, and the password is a reference with `sandbox-` before it. */
const longestReference = 190;

/** `C1003` is a customer; `C1003 cards=77` one whom the core `cards` knows as 77. */
function customersIn(list: string): SandboxCustomer[] {
  const customers = list.split(',').map((one): SandboxCustomer => {
    const [, reference = '', others = ''] = /^(.*?)((?: +[a-z0-9]+=\S+)*)$/.exec(one.trim()) ?? [];
    const pairs = [...others.matchAll(/([a-z0-9]+)=(\S+)/g)].map(([, core = '', ref = '']) => [core, ref] as const);
    return { reference, elsewhere: Object.fromEntries(pairs) };
  });
  if (customers.every(({ reference }) => reference !== '' && reference.length <= longestReference))
    return [...new Map(customers.map((one) => [one.reference, one])).values()];
  throw new FaultyStart(
    `SANDBOX_CUSTOMERS must be references of customers, each of up to ${longestReference} characters, with commas between them`,
  );
}

const names = new Set([...settingNames, ...sandboxSettings.map(({ name }) => name)]);

/** Reads settings from their files as the gateway does. The processes of the stack then get the values, and need no file. */
function withoutFiles(given: Readonly<NodeJS.ProcessEnv>): Readonly<NodeJS.ProcessEnv> {
  const faults: string[] = [];
  const settings = withFiles(given, faults, names);
  if (faults.length > 0) throw new FaultyStart(faults.join('; '));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !namesFileOfSetting(name, names)));
}

/** The first of a list, which is the present one. */
export function presentOf(list: string | undefined): string | undefined {
  return list === undefined ? undefined : listOf(list)[0];
}

function oneOf<Value extends string>(name: string, value: string, choices: readonly Value[]): Value {
  const found = choices.find((one) => one === value);
  if (found === undefined) throw new FaultyStart(`${name}=${value} is not known: set it to ${choices.join(' or ')}`);
  return found;
}

function portFrom(name: string, value: string | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port >= 1 && port <= 65_535) return port;
  throw new FaultyStart(`${name}=${value} is not a port: set it to a number from 1 to 65535`);
}
