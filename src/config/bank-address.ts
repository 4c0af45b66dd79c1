import { readFileSync } from 'node:fs';
import { BootError } from './boot-error.js';
import { isLoopbackHost } from './plain-connections.js';
import { readSecret } from './secrets.js';

/** The address of a gateway's bank-facing API, and the credentials that a caller needs. */
export interface BankAddress {
  readonly origin: string;
  readonly credential: string;
  /** The setting that holds the credential. */
  readonly credentialSetting: CredentialSetting;
  readonly tls?: BankAddressTls;
}

export interface BankAddressTls {
  /** The gateway's certificate, PEM. The caller compares the certificate itself, not the host name. */
  readonly gateway: Buffer;
  /** Client certificate, PEM, that a gateway with BANK_TLS_CLIENT_CA_FILE requires. */
  readonly own?: { readonly cert: Buffer; readonly key: Buffer };
}

export type CredentialSetting = 'BANK_CREDENTIAL' | 'OPERATOR_CREDENTIAL';

type Variables = Readonly<Record<string, string | undefined>>;

/** Settings that only the commands read. */
export const commandSettings = ['BANK_CLIENT_CERT_FILE', 'BANK_CLIENT_KEY_FILE'] as const;

/**
 * Reads the address of the gateway that runs by the same settings.
 * @throws BootError where a setting is missing or names no readable file, or the credential would pass over a network in
 * the clear
 */
export function readBankAddress(variables: Variables = process.env): BankAddress {
  const credential = readSecret(variables, 'BANK_CREDENTIAL') ?? '';
  if (credential === '') throw new BootError('BANK_CREDENTIAL is not set: it must be that of the gateway');
  return addressWith(credential, 'BANK_CREDENTIAL', variables);
}

/** The same for an operator, who has BANK_CREDENTIAL instead of OPERATOR_CREDENTIAL until the first admin was added. */
export function readOperatorAddress(variables: Variables = process.env): BankAddress {
  const credential = readSecret(variables, 'OPERATOR_CREDENTIAL') ?? '';
  return credential === '' ? readBankAddress(variables) : addressWith(credential, 'OPERATOR_CREDENTIAL', variables);
}

function addressWith(credential: string, credentialSetting: CredentialSetting, variables: Variables): BankAddress {
  const set = (name: string, otherwise: string): string => variables[name] || otherwise;
  const host = set('BANK_HOST', '127.0.0.1');
  // A caller cannot connect to an address that means "listen on every interface".
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const tls = readTls(variables);
  if (tls === undefined && !isLoopbackHost(reached) && variables['BANK_PLAIN_HTTP'] !== 'allow')
    throw new BootError(
      'BANK_HOST is another machine and the credential would go there without TLS: set BANK_TLS_CERT_FILE to the ' +
        "gateway's certificate, or BANK_PLAIN_HTTP=allow on a network of the bank's own",
    );
  const scheme = tls === undefined ? 'http' : 'https';
  const origin = `${scheme}://${reached.includes(':') ? `[${reached}]` : reached}:${set('BANK_PORT', '3001')}`;
  return { origin, credential, credentialSetting, ...(tls && { tls }) };
}

function readTls(variables: Variables): BankAddressTls | undefined {
  const gateway = readNamed(variables, 'BANK_TLS_CERT_FILE');
  if (gateway === undefined) return undefined;
  const [cert, key] = commandSettings.map((name) => readNamed(variables, name));
  if ((cert === undefined) !== (key === undefined))
    throw new BootError(`${commandSettings.join(' and ')} must be set together`);
  return { gateway, ...(cert !== undefined && key !== undefined && { own: { cert, key } }) };
}

function readNamed(variables: Variables, name: string): Buffer | undefined {
  const path = variables[name];
  if (path === undefined || path === '') return undefined;
  try {
    return readFileSync(path);
  } catch {
    throw new BootError(`${name} "${path}" cannot be read: name a readable PEM file`);
  }
}
