import { BootError } from './boot-error.js';
import { readPem } from './pem-files.js';
import { isLoopbackHost } from './plain-connections.js';
import { readSecret } from './secrets.js';

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

/** Settings that only the commands read. */
export const commandSettings = ['BANK_CLIENT_CERT_FILE', 'BANK_CLIENT_KEY_FILE'] as const;

/**
 * Reads the address of the gateway that runs by the same settings.
 * @throws BootError where a setting is missing or names no readable file, or the credential would pass over a network in
 * the clear
 */
export function readBankAddress(variables: NodeJS.ProcessEnv = process.env): BankAddress {
  const credential = readSecret(variables, 'BANK_CREDENTIAL') ?? '';
  if (credential === '') throw new BootError('BANK_CREDENTIAL is not set: it must be that of the gateway');
  return addressWith(credential, 'BANK_CREDENTIAL', variables);
}

/** The same for an operator, who has BANK_CREDENTIAL instead of OPERATOR_CREDENTIAL until the first admin was added. */
export function readOperatorAddress(variables: NodeJS.ProcessEnv = process.env): BankAddress {
  const credential = readSecret(variables, 'OPERATOR_CREDENTIAL') ?? '';
  if (credential !== '') return addressWith(credential, 'OPERATOR_CREDENTIAL', variables);
  if ((readSecret(variables, 'BANK_CREDENTIAL') ?? '') === '')
    throw new BootError(
      'OPERATOR_CREDENTIAL is not set: it must be that of an operator, or before the first admin was added BANK_CREDENTIAL that of the gateway',
    );
  return readBankAddress(variables);
}

/** The same for an act that BANK_CREDENTIAL never may do. */
export function readOperatorOnly(variables: NodeJS.ProcessEnv = process.env): BankAddress {
  const credential = readSecret(variables, 'OPERATOR_CREDENTIAL') ?? '';
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
  if (address.tls === undefined && !isNear && variables['BANK_PLAIN_HTTP'] !== 'allow')
    throw new BootError(
      'BANK_HOST is another machine and the credential would go there without TLS: set BANK_TLS_CERT_FILE to the ' +
        "gateway's certificate, or BANK_PLAIN_HTTP=allow on a network of the bank's own",
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
  const origin = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${variables['BANK_PORT'] || '3001'}`;
  return { origin, ...(tls && { tls }) };
}

function hostOf(variables: NodeJS.ProcessEnv): string {
  const host = variables['BANK_HOST'] || '127.0.0.1';
  // A caller cannot connect to an address that means "listen on every interface".
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

function readTls(variables: NodeJS.ProcessEnv): BankAddressTls | undefined {
  const gateway = readNamed(variables, 'BANK_TLS_CERT_FILE');
  if (gateway === undefined) return undefined;
  const [cert, key] = commandSettings.map((name) => readNamed(variables, name));
  if ((cert === undefined) !== (key === undefined))
    throw new BootError(`${commandSettings.join(' and ')} must be set together`);
  return { gateway, ...(cert !== undefined && key !== undefined && { own: { cert, key } }) };
}

function readNamed(variables: NodeJS.ProcessEnv, setting: string): Buffer | undefined {
  const path = variables[setting];
  return path === undefined || path === '' ? undefined : readPem({ setting, path });
}
