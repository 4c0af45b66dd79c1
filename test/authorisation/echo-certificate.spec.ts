import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { request } from 'node:http';
import { Authority } from '../../sandbox/pki/authority.js';
import { formatDateTime } from '../../src/open-banking/date-times.js';
import { CertificateAuthority, type Certified } from '../support/certificates.js';
import { eventsOf } from '../support/read-trail.js';
import { RunningClock } from '../support/running-clock.js';
import { until } from '../support/until.js';
import { AuthorisationSetting } from './setting.js';
import type { TestTpp } from './tpp.js';

const eidasIds = { organisationName: 'Test', organisationId: '0015800001TestOrg', registrationId: '900002' };
const id = '93bac548-d2de-4546-b106-880a5018460d';

describe('GET /echo-certificate', () => {
  let setting: AuthorisationSetting;
  let eidas: Authority;
  let tpp: TestTpp;
  beforeAll(async () => {
    eidas = await Authority.make(new RunningClock().nowMs());
    setting = await AuthorisationSetting.start({ authorities: [eidas.pair.certificate] });
    tpp = await setting.tpp('tpp-one', { clientAuth: 'tls_client_auth' });
  });
  afterAll(() => setting.close());

  const echo = async (certified: Certified | undefined, headers: Record<string, string> = {}) => {
    const fetch = tpp.fetchWith(certified);
    const answer = await fetch(`${setting.places.tppUrl}/echo-certificate`, { method: 'GET', headers } as never);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    return (await answer.json()) as {
      Accepted: boolean;
      Certificate?: Record<string, unknown>;
      Clients: unknown[];
      Faults: { Refuses: string; Fault: string; Mend: string }[];
    };
  };
  const ofEidas = async (roles: ('PSP_AI' | 'PSP_PI')[]): Promise<Certified> => {
    const { certificate: certificatePem, key: keyPem } = await eidas.tpp({ ...eidasIds, roles });
    return { certificate: new X509Certificate(certificatePem), certificatePem, keyPem, thumbprint: '' };
  };

  it('names the certificate, the client that registered it, and that nothing is refused', async () => {
    const { certificate, thumbprint } = tpp.certified;
    expect(await echo(tpp.certified)).toEqual({
      Accepted: true,
      Certificate: {
        Subject: 'CN=tpp-one',
        Issuer: 'CN=test authority',
        SerialNumber: certificate.serialNumber,
        Thumbprint: thumbprint,
        NotBeforeDateTime: formatDateTime(new Date(certificate.validFrom)),
        NotAfterDateTime: '2049-12-31T23:59:59+00:00',
      },
      Clients: [{ ClientId: 'tpp-one', Name: 'The tpp-one app', Standing: 'active' }],
      Faults: [],
    });
  });

  it('says that it saw none', async () => {
    const answer = await echo(undefined);
    expect(answer).toEqual({
      Accepted: false,
      Clients: [],
      Faults: [expect.objectContaining({ Refuses: 'Everything' })],
    });
    expect(answer.Faults[0]?.Fault).toBe('The gateway saw no certificate on this connection.');
  });

  it('says that no accepted authority issued it, whatever name it has, and names no client', async () => {
    const forged = new CertificateAuthority('another authority').issue('tpp-one');
    const { Accepted, Clients, Faults } = await echo(forged);
    expect([Accepted, Clients]).toEqual([false, []]);
    expect(Faults.map(({ Refuses }) => Refuses)).toEqual(['Everything', 'AuthenticationByCertificate']);
    expect(Faults[0]?.Fault).toBe(
      'No authority that the bank accepts issued the certificate for TLS clients (OpenSSL: UNABLE_TO_VERIFY_LEAF_SIGNATURE).',
    );
  });

  it('says when it expired, and not that its authority is unknown', async () => {
    const { Accepted, Faults } = await echo(setting.authority.issue('tpp-one', { until: '250101000000' }));
    expect(Accepted).toBe(false);
    expect(Faults[0]?.Fault).toBe('The certificate expired at 2025-01-01T00:00:00+00:00.');
    expect(Faults.filter(({ Refuses }) => Refuses === 'Everything')).toHaveLength(1);
  });

  it('accepts one that a client registered itself, though no authority issued it', async () => {
    const certified = new CertificateAuthority('its own').issue('self-made');
    await setting.tpp('tpp-self', { clientAuth: 'self_signed_tls_client_auth', certified });
    const { Accepted, Clients, Faults } = await echo(certified);
    expect([Accepted, Clients, Faults]).toEqual([true, [expect.objectContaining({ ClientId: 'tpp-self' })], []]);
  });

  it('shows organisation and roles, and that registration needs PSP_AI', async () => {
    const { Certificate, Accepted, Faults } = await echo(await ofEidas(['PSP_PI', 'PSP_AI']));
    expect(Certificate).toMatchObject({ OrganisationId: 'PSDGB-FCA-900002', Roles: ['PSP_PI', 'PSP_AI'] });
    expect([Accepted, Faults.map(({ Refuses }) => Refuses)]).toEqual([true, ['AuthenticationByCertificate']]);
    const without = await echo(await ofEidas(['PSP_PI']));
    expect(without.Faults.map(({ Refuses }) => Refuses)).toEqual(['Registration', 'AuthenticationByCertificate']);
    expect(without.Faults[0]?.Fault).toBe('The PSD2 statement in the certificate lacks the role PSP_AI.');
  });

  it('says that the bank has suspended its client, and no longer once that is over', async () => {
    const suspended = await setting.tpp('tpp-two', { clientAuth: 'tls_client_auth' });
    const act = (verb: string) => setting.stack.report(`/tpps/tpp-two/${verb}`, {});
    expect((await act('suspend')).status).toBe(200);
    const { Accepted, Clients, Faults } = await echo(suspended.certified);
    expect([Accepted, Clients]).toEqual([false, [expect.objectContaining({ Standing: 'suspended' })]]);
    expect(Faults.map(({ Fault }) => Fault)).toEqual(['The bank has suspended the client tpp-two.']);
    await act('reinstate');
    expect(await echo(suspended.certified)).toMatchObject({ Accepted: true, Faults: [] });
  });

  it('leaves an event with the authority and the number of a certificate that is not accepted, and no subject', async () => {
    const forged = new CertificateAuthority('another authority').issue('Ann Example');
    await echo(forged, { 'x-fapi-interaction-id': id });
    const found = async () =>
      (await eventsOf(setting.stack.config.trail.directory, 'request')).filter((event) => event.id === id);
    await until(async () => (await found()).length > 0);
    const [event] = await found();
    expect(event).toMatchObject({
      listener: 'tpps',
      endpoint: '/echo-certificate',
      status: 200,
      saw: {
        tls: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        certificateIssuer: 'CN=another authority',
        certificateSerial: forged.certificate.serialNumber,
      },
    });
    expect(JSON.stringify(event)).not.toContain('Ann Example');
  });

  it('is no path of the API, and has one method', async () => {
    const post = await tpp.fetch(`${setting.places.tppUrl}/echo-certificate`, { method: 'POST' } as never);
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await setting.stack.gateway.server.inject({ url: '/echo-certificate' })).statusCode).not.toBe(200);
  });
});

describe('GET /echo-certificate, asked too often', () => {
  it('answers 429 to that certificate alone', async () => {
    const limits = { failures: { perSecond: 0.001, burst: 2 } };
    const setting = await AuthorisationSetting.start({ authorisationServer: { limits } });
    const [one, two] = [await setting.tpp('tpp-one'), await setting.tpp('tpp-two')];
    const ask = async (by: TestTpp) =>
      (await by.fetch(`${setting.places.tppUrl}/echo-certificate`, { method: 'GET' } as never)).status;
    expect([await ask(one), await ask(one), await ask(one), await ask(two)]).toEqual([200, 200, 429, 200]);
    await setting.close();
  });
});

describe('GET /echo-certificate behind a proxy that ends TLS', () => {
  it('shows the certificate that the proxy passes on, and none without the proxy’s secret', async () => {
    const secret = 'proxy-secret-0123456789abcdef0123456789';
    const proxy = { certificateHeader: 'client-cert', trustedPeers: ['127.0.0.0/8'], secret };
    const setting = await AuthorisationSetting.start({ config: { proxy } });
    const tpp = await setting.tpp('tpp-one', { clientAuth: 'tls_client_auth' });
    const ask = (headers: Record<string, string>) =>
      new Promise<{ Accepted: boolean; Clients: unknown[] }>((resolve, reject) => {
        const url = `${setting.places.tppUrl.replace('https:', 'http:')}/echo-certificate`;
        request(url, { headers }, (answer) => {
          let text = '';
          answer.on('data', (part) => (text += String(part))).on('end', () => resolve(JSON.parse(text)));
        })
          .on('error', reject)
          .end();
      });
    const header = { 'client-cert': `:${tpp.certified.certificate.raw.toString('base64')}:` };
    expect(await ask({ ...header, 'x-proxy-secret': secret })).toMatchObject({
      Accepted: true,
      Clients: [{ ClientId: 'tpp-one' }],
    });
    expect(await ask({ ...header, 'x-proxy-secret': 'guessed' })).toMatchObject({ Accepted: false, Clients: [] });
    await setting.close();
  });
});
