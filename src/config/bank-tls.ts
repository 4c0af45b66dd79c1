import type { TlsFiles } from './listener-files.js';
import type { Environment } from './environment.dto.js';
import { allOrNone } from './all-or-none.js';

/** TLS on the bank's port. Adds a line to `faults` for each missing setting. The result is then unusable. */
export function readBankTls(environment: Environment, faults: string[]): TlsFiles | undefined {
  const pair = allOrNone(environment, ['BANK_TLS_CERT_FILE', 'BANK_TLS_KEY_FILE'], faults);
  const { BANK_TLS_CLIENT_CA_FILE: clientCaFile } = environment;
  if (pair === undefined) {
    if (clientCaFile !== undefined)
      faults.push('BANK_TLS_CLIENT_CA_FILE needs BANK_TLS_CERT_FILE and BANK_TLS_KEY_FILE');
    return undefined;
  }
  const [certFile, keyFile] = pair;
  return { certFile, keyFile, ...(clientCaFile !== undefined && { clientCaFile }) };
}
