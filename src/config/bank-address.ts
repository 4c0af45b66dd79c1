import { BootError } from './boot-error.js';
import { readPem } from './pem-files.js';
import { allowsPlain, isLoopbackHost, plainSwitch } from './plain-connections.js';
import { readSetting } from './read-setting.js';
import { listOf } from './setting-kinds.js';

/** Where a gateway's bank-facing API listens. */
export interface BankOrigin {
  readonly origin: string;
  readonly tls?: BankAddressTls;
}

/** The same, with the credential of the bank's systems. */
export interface BankAddress extends BankOrigin {
  readonly credential: string;
  /** The setting that holds the credential. */
  readonly credentialSetting: CredentialSetting;
}

export interface BankAddressTls {
  /** The gateway's certificate, PEM. The caller compares the certificate itself, not the host name. */
  readonly gateway: Buffer;
  /** Client certificate, PEM, that a gateway with BANK_TLS_CLIENT_CA_FILE requires. */
  readonly own?: { readonly cert: Buffer; readonly key: Buffer };
}

type CredentialSetting = 'BANK_CREDENTIAL' | 'OPERATOR_CREDENTIAL';

const clientCertificate = ['BANK_CLIENT_CERT_FILE', 'BANK_CLIENT_KEY_FILE'] as const;

/**
 * Reads the address of the gateway that runs by the same settings.
 * @throws BootError where a setting is missing or names no readable file, or the credential would pass over a network in
 * the clear
 */
export function readBankAddress(variables: NodeJS.ProcessEnv = process.env): BankAddress {
  // The first is the present one, while the gateway accepts further credentials too.
  const [credential = ''] = listOf(readSetting(variables, 'BANK_CREDENTIAL') ?? '');
  if (credential === '') throw new BootError('BANK_CREDENTIAL is not set: it must be that of the gateway');
  return addressWith(credential, 'BANK_CREDENTIAL', variables);
}

/** The same for an operator, who has BANK_CREDENTIAL instead of OPERATOR_CREDENTIAL until the first admin was added. */
export function readOperatorAddress(variables: NodeJS.ProcessEnv = process.env): BankAddress {
  const credential = readSetting(variables, 'OPERATOR_CREDENTIAL') ?? '';
  if (credential !== '') return addressWith(credential, 'OPERATOR_CREDENTIAL', variables);
  if (readSetting(variables, 'BANK_CREDENTIAL') === undefined)
    throw new BootError(
      'OPERATOR_CREDENTIAL is not set: it must be that of an operator, or before the first admin was added BANK_CREDENTIAL that of the gateway',
    );
  return readBankAddress(variables);
}

/** The same for an act that BANK_CREDENTIAL never may do. */
export function readOperatorOnly(variables: NodeJS.ProcessEnv = process.env): BankAddress {
  const credential = readSetting(variables, 'OPERATOR_CREDENTIAL') ?? '';
  if (credential === '') throw new BootError('OPERATOR_CREDENTIAL is not set: it must be that of an operator');
  return addressWith(credential, 'OPERATOR_CREDENTIAL', variables);
}

function addressWith(
  credential: string,
  credentialSetting: CredentialSetting,
  variables: NodeJS.ProcessEnv,
): BankAddress {
  const address = readBankOrigin(variables);
  const isNear = isLoopbackHost(hostOf(variables));
  if (address.tls === undefined && !isNear && !allowsPlain(readSetting(variables, plainSwitch)))
    throw new BootError(
      'BANK_HOST is another machine and the credential would go there without TLS: set BANK_TLS_CERT_FILE to the ' +
        "gateway's certificate, or in a sandbox ALLOW_PLAIN_CONNECTIONS=sandbox",
    );
  return { ...address, credential, credentialSetting };
}

/**
 * The same for a caller without a credential.
 * @throws BootError where a setting names no readable file
 */
export function readBankOrigin(variables: NodeJS.ProcessEnv = process.env): BankOrigin {
  const host = hostOf(variables);
  const tls = readTls(variables);
  const scheme = tls === undefined ? 'http' : 'https';
  const origin = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${readSetting(variables, 'BANK_PORT') ?? '3001'}`;
  return { origin, ...(tls && { tls }) };
}

function hostOf(variables: NodeJS.ProcessEnv): string {
  const host = readSetting(variables, 'BANK_HOST') ?? '127.0.0.1';
  // A caller cannot connect to an address that means "listen on every interface".
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

function readTls(variables: NodeJS.ProcessEnv): BankAddressTls | undefined {
  const gateway = readNamed(variables, 'BANK_TLS_CERT_FILE');
  if (gateway === undefined) return undefined;
  const [cert, key] = clientCertificate.map((name) => readNamed(variables, name));
  if ((cert === undefined) !== (key === undefined))
    throw new BootError(`${clientCertificate.join(' and ')} must be set together`);
  return { gateway, ...(cert !== undefined && key !== undefined && { own: { cert, key } }) };
}

function readNamed(variables: NodeJS.ProcessEnv, setting: string): Buffer | undefined {
  const path = readSetting(variables, setting);
  return path === undefined ? undefined : readPem({ setting, path });
}
