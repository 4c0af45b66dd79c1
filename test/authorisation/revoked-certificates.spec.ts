import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { BootError } from '../../src/config/boot-error.js';
import { CertificateAuthority, selfSigned, type Certified } from '../support/certificates.js';
import { eventsOf } from '../support/read-trail.js';
import { until } from '../support/until.js';
import { AuthorisationSetting } from './setting.js';
import type { TestTpp, TppOptions } from './tpp.js';

describe('a listener of TPPs with a revocation list', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let token: string;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ hasRevocationList: true });
    tpp = await setting.tpp('tpp-one', { clientAuth: 'tls_client_auth' });
    token = await tpp.ownToken();
  });
  beforeEach(() => setting.revoke([]));
  afterAll(() => setting.close());

  /** On a new connection. 400: the token is good, and the consent does not exist. */
  const status = async ({ clientId, certified }: TestTpp, bearer: string, options: TppOptions = {}) => {
    const again = await setting.stranger(clientId, { ...options, certified });
    const granted = await again.post('token', { grant_type: 'client_credentials', scope: 'accounts' });
    const api = await again.ask('/account-access-consents/none', bearer);
    return [granted.status, api.status];
  };
  const byCertificate = { clientAuth: 'tls_client_auth' } as const;

  it('refuses a revoked certificate from the next SIGHUP on, and serves the others of its authority', async () => {
    const other = await setting.tpp('tpp-two', byCertificate);
    const otherToken = await other.ownToken();
    expect(await status(tpp, token, byCertificate)).toEqual([200, 400]);
    await setting.revoke([tpp.certified]);
    expect(await status(tpp, token, byCertificate)).toEqual([401, 401]);
    expect(await status(other, otherToken, byCertificate)).toEqual([200, 400]);
    const events = () => eventsOf(setting.stack.config.trail.directory, 'request');
    await until(async () => (await events()).some(({ reason }) => reason === 'certificate-missing'));
    const grant = (await events()).find(({ facts }) => facts?.tls === 'CERT_REVOKED');
    expect(grant?.reason).toBe('invalid_client');
  });

  it('resumes no session from before', async () => {
    const { port } = setting.listeners.tpp;
    const { certificatePem: cert, keyPem: key } = tpp.certified;
    const open = async (session?: Buffer): Promise<TLSSocket> => {
      const socket = connect({ host: '127.0.0.1', port, ca: setting.authority.certificatePem, cert, key, session });
      await once(socket, 'secureConnect');
      return socket;
    };
    const first = await open();
    const [session] = (await once(first, 'session')) as [Buffer];
    const resumed = await open(session);
    await setting.revoke([tpp.certified]);
    const later = await open(session);
    expect([resumed.isSessionReused(), later.isSessionReused()]).toEqual([true, false]);
    for (const socket of [first, resumed, later]) socket.destroy();
  });

  it('refuses the certificates of an unknown authority that a client registered: they may be revoked', async () => {
    const own = { clientAuth: 'self_signed_tls_client_auth' } as const;
    const certified = selfSigned('tpp-own');
    expect(await grantedTo('tpp-own', own, certified)).toBe(200);
    expect(await grantedTo('tpp-foreign', own, new CertificateAuthority('foreign').issue('tpp-foreign'))).toBe(401);
    const issued = setting.authority.issue('tpp-issued');
    expect(await grantedTo('tpp-issued', own, issued)).toBe(200);
    await setting.revoke([issued]);
    expect(await grantedTo('tpp-issued', own, issued)).toBe(401);
  });

  it('keeps the list in use where the file has expired', async () => {
    await setting.revoke([tpp.certified]);
    await expect(setting.revoke([], '250101000000')).rejects.toThrow(BootError);
    expect(await status(tpp, token, byCertificate)).toEqual([401, 401]);
  });

  async function grantedTo(clientId: string, options: TppOptions, certified: Certified): Promise<number> {
    const client = await setting.tpp(clientId, { ...options, certified });
    return (await client.post('token', { grant_type: 'client_credentials', scope: 'accounts', client_id: clientId }))
      .status;
  }
});
