import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request as httpsRequest } from 'node:https';
import { CertificateAuthority, type Certified } from '../support/certificates.js';
import { temporaryFile } from '../support/temporary-file.js';
import { portOf, requestText, sendRaw } from '../support/raw-http.js';
import { eventsOf } from '../support/read-trail.js';
import { Stack, type ConsentedCustomer } from '../support/stack.js';
import { until } from '../support/until.js';
import { explain } from '../../src/trail/explain.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

const accounts = `${v3_1.basePath}/accounts`;
const authority = new CertificateAuthority();
const client = authority.issue('tpp one');
const other = authority.issue('tpp two');
const revoked = authority.issue('tpp three');

async function boundToken(stack: Stack, { consentId }: ConsentedCustomer, thumbprint: string): Promise<string> {
  return stack.bank.mintToken({ clientId: 'tpp-one', consentId, cnf: { 'x5t#S256': thumbprint } });
}

describe('a token that is bound to a certificate (RFC 8705), over direct TLS', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let bound: string;
  beforeAll(async () => {
    const server = authority.issue('gateway');
    stack = await Stack.start({
      config: {
        tls: {
          certFile: await temporaryFile('server.pem', server.certificatePem),
          keyFile: await temporaryFile('server.key', server.keyPem),
          clientCaFile: await temporaryFile('ca.pem', authority.certificatePem),
          clientCrlFile: await temporaryFile('crl.pem', authority.revocationList([revoked])),
        },
      },
    });
    customer = await stack.consent({ persona: 'saver' });
    bound = await boundToken(stack, customer, client.thumbprint);
    await stack.gateway.listen();
  });
  afterAll(() => stack.close());

  const ask = (
    token: string,
    certified: Certified | undefined,
    headers: Record<string, string> = {},
  ): Promise<number> =>
    new Promise((resolve, reject) => {
      httpsRequest(
        {
          host: '127.0.0.1',
          port: portOf(stack.gateway.server),
          path: accounts,
          agent: false,
          ca: authority.certificatePem,
          ...(certified && { cert: certified.certificatePem, key: certified.keyPem }),
          headers: { authorization: `Bearer ${token}`, ...headers },
        },
        (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        },
      )
        .on('error', reject)
        .end();
    });

  it('is accepted with that certificate', async () => {
    expect(await ask(bound, client)).toBe(200);
  });

  it('is refused with another certificate, also when a header claims the right one', async () => {
    const claimed = {
      'client-cert': `:${client.certificate.raw.toString('base64')}:`,
      'x-proxy-secret': 'x'.repeat(32),
    };
    expect([await ask(bound, other), await ask(bound, other, claimed)]).toEqual([401, 401]);
  });

  it('cannot be sent at all without a certificate of the trusted authority', async () => {
    await expect(ask(bound, undefined)).rejects.toThrow();
    await expect(ask(bound, new CertificateAuthority().issue('stranger'))).rejects.toThrow();
  });

  it('leaves the reason of OpenSSL in the trail where TLS refuses its chain, and no name', async () => {
    const expired = authority.issue('stranger', { until: '250101000000' });
    for (const certified of [new CertificateAuthority('foreign').issue('stranger'), expired, revoked])
      await expect(ask(bound, certified)).rejects.toThrow();
    const refusals = async () =>
      (await eventsOf(stack.config.trail.directory, 'request')).filter(({ reason }) => reason === 'tls-refused');
    for (const tls of ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_HAS_EXPIRED', 'CERT_REVOKED'])
      await until(async () => (await refusals()).some(({ facts }) => facts?.tls === tls));
    const events = await refusals();
    expect(JSON.stringify(events)).not.toContain('stranger');
    const foreign = events.find(({ facts }) => facts?.tls === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(explain(foreign as never).outcome).toBe('TLS refused the connection: UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });

  it('is refused at a listener without TLS', async () => {
    expect((await stack.ask('/accounts', { token: bound })).status).toBe(401);
  });

  it('is accepted with any certificate of the authority when it is unbound and may be', async () => {
    expect([await ask(customer.token, client), await ask(customer.token, other)]).toEqual([200, 200]);
  });
});

describe('a token of TOKEN_ISSUER behind mutual TLS', () => {
  it('must be bound to a certificate or a key, and is refused where it is unbound', async () => {
    const stack = await Stack.start({ binding: 'mtls-or-dpop' });
    const challenge = async (cnf?: Record<string, string>): Promise<unknown> => {
      const token = await stack.bank.mintToken({ clientId: 'tpp-one', ...(cnf && { cnf }) });
      const { status, headers } = await stack.ask('/accounts', { token });
      return [status, headers['www-authenticate']];
    };
    expect(await challenge()).toEqual([
      401,
      expect.stringContaining('"the token is not bound to a certificate or a key"'),
    ]);
    // The next check demands the certificate of the binding, which no client presents here.
    expect(await challenge({ 'x5t#S256': client.thumbprint })).toEqual([
      401,
      expect.stringContaining('"the token is bound to a certificate, and the request came with none"'),
    ]);
    expect(await challenge({ jkt: 'a-key' })).toEqual([
      401,
      expect.stringContaining('with the scheme DPoP and a proof'),
    ]);
    expect((await stack.ask('/accounts')).headers['www-authenticate']).toContain('DPoP realm=');
    await stack.close();
  });
});

describe('a token that is bound to a certificate, behind a proxy that ends TLS', () => {
  const secret = 'proxy-secret-0123456789abcdef0123456789';
  const nextSecret = 'next-proxy-secret-0123456789abcdef01234';
  const rfc9440 = `:${client.certificate.raw.toString('base64')}:`;
  const escapedPem = encodeURIComponent(client.certificatePem);

  const behind = (trustedPeers: readonly string[]) => {
    const given = {} as { stack: Stack; bound: string };
    beforeAll(async () => {
      given.stack = await Stack.start({
        config: { proxy: { certificateHeader: 'client-cert', trustedPeers, secrets: [secret, nextSecret] } },
      });
      given.bound = await boundToken(given.stack, await given.stack.consent({ persona: 'saver' }), client.thumbprint);
      await given.stack.gateway.listen();
    });
    afterAll(() => given.stack.close());
    return async (...headers: string[]): Promise<[number, string]> => {
      const text = requestText('GET', accounts, [`Authorization: Bearer ${given.bound}`, ...headers]);
      const { status, body } = await sendRaw(portOf(given.stack.gateway.server), text);
      return [status, status === 401 ? body : ''];
    };
  };

  describe('at a trusted address', () => {
    const ask = behind(['10.0.0.0/8', '127.0.0.0/8']);
    const proof = `X-Proxy-Secret: ${secret}`;

    it.each([
      ['as RFC 9440 writes it', rfc9440],
      ['as a PEM in percent-encoding', escapedPem],
    ])('is accepted with that certificate in the header, %s', async (_form, value) => {
      expect(await ask(proof, `Client-Cert: ${value}`)).toEqual([200, '']);
      expect(await ask(proof, `Client-Cert: ${value}`)).toEqual([200, '']);
    });

    it('is accepted with the next secret too, while the proxies change to it', async () => {
      expect(await ask(`X-Proxy-Secret: ${nextSecret}`, `Client-Cert: ${rfc9440}`)).toEqual([200, '']);
      expect(await ask(`X-Proxy-Secret: ${nextSecret}x`, `Client-Cert: ${rfc9440}`)).toEqual([401, expect.any(String)]);
    });

    it.each<[string, string[]]>([
      ['without the header', [proof]],
      ['without the secret', [`Client-Cert: ${rfc9440}`]],
      ['with a wrong secret', [`X-Proxy-Secret: ${secret}x`, `Client-Cert: ${rfc9440}`]],
      ['with the secret twice', [proof, proof, `Client-Cert: ${rfc9440}`]],
      ['with the header twice', [proof, `Client-Cert: ${rfc9440}`, `Client-Cert: ${rfc9440}`]],
      ['with two certificates in one header', [proof, `Client-Cert: ${rfc9440}, ${rfc9440}`]],
      ["with another client's certificate", [proof, `Client-Cert: :${other.certificate.raw.toString('base64')}:`]],
      ['with garbage', [proof, 'Client-Cert: garbage']],
      ['with garbage in the form of RFC 9440', [proof, 'Client-Cert: :Z2FyYmFnZQ==:']],
      ['with an invalid escape', [proof, 'Client-Cert: %zz']],
      ['with the thumbprint alone', [proof, `Client-Cert: ${client.thumbprint}`]],
      ['with the certificate in another header', [proof, `X-Client-Cert: ${rfc9440}`]],
    ])('is refused %s', async (_name, headers) => {
      expect(await ask(...headers)).toEqual([401, '']);
    });
  });

  describe('at an address that is not trusted', () => {
    const ask = behind(['10.0.0.0/8', '::1/128']);

    it('is refused for any request', async () => {
      const forwarded = 'X-Forwarded-For: 10.0.0.1';
      expect(await ask(`X-Proxy-Secret: ${secret}`, `Client-Cert: ${rfc9440}`, forwarded)).toEqual([401, '']);
    });
  });
});
