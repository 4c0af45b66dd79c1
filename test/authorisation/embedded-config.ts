import { createHash } from 'node:crypto';
import { defaultSignIn, type AuthorisationServerConfig } from '../../src/config/config.js';
import { strongAuthentication } from '../../src/open-banking/authentication-classes.js';
import { freePort } from '../support/free-port.js';

/** The settings of the embedded authorization server, on two free ports. */
export async function embeddedConfig(
  tls: NonNullable<AuthorisationServerConfig['tpp']['tls']>,
): Promise<AuthorisationServerConfig> {
  const listener = async () => {
    const [host, port] = ['127.0.0.1', await freePort()];
    return { host, port, url: `https://${host}:${port}`, tls };
  };
  return {
    browser: await listener(),
    tpp: await listener(),
    // So much that no test meets it by being fast.
    limits: { failures: { perSecond: 1_000_000, burst: 1_000_000 } },
    acrValues: [strongAuthentication],
    signIn: defaultSignIn,
    keyEncryptionKey: createHash('sha256').update('the key of tests').digest(),
  };
}
