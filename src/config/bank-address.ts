import { BootError } from './boot-error.js';

/** Where a gateway's bank-facing API answers, and what it asks for. */
export interface BankAddress {
  readonly origin: string;
  readonly credential: string;
}

/** Of the gateway that runs by the same settings. @throws BootError where BANK_CREDENTIAL is missing */
export function readBankAddress(variables: Readonly<Record<string, string | undefined>> = process.env): BankAddress {
  const set = (name: string, otherwise: string): string => variables[name] || otherwise;
  const credential = set('BANK_CREDENTIAL', '');
  if (credential === '') throw new BootError('BANK_CREDENTIAL is not set: it must be that of the gateway');
  const host = set('BANK_HOST', '127.0.0.1');
  // An address to listen on everywhere is none to call.
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const origin = `http://${reached.includes(':') ? `[${reached}]` : reached}:${set('BANK_PORT', '3001')}`;
  return { origin, credential };
}
