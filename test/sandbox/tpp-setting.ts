import { defaultSignIn } from '../../src/config/config.js';
import { strongAuthentication } from '../../src/open-banking/authentication-classes.js';
import { failureRate } from '../../src/config/rate-limits.js';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { makeIssuerKeys, makeSigningKey, publicPart } from '../../sandbox/bank/issuer.js';
import { startSandboxBank, type SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { signOnOf } from '../../sandbox/bank/sign-on.js';
import { directoryIssuer } from '../../sandbox/directory/software.js';
import { ensurePki, pkiFiles, readJwk } from '../../sandbox/pki/kept-pki.js';
import { bankEndpoint, openBank } from '../../sandbox/actions/registration.js';
import { BankClient } from '../../sandbox/clients/bank.client.js';
import type { BankEndpoint } from '../../sandbox/clients/bank-connection.js';
import { Stack as RunningStack } from '../../sandbox/clients/stack.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';
import { choicesFor } from '../../sandbox/tpp/asked-for.js';
import { Sessions } from '../../sandbox/tpp/sessions.js';
import { createTppServer } from '../../sandbox/tpp/tpp-server.js';
import { fundsConfirmation } from '../../src/profiles/published-products.js';
import { versionNames } from '../../src/versions/versions.js';
import type { AuthorisationServer } from '../../src/authorisation-server/authorisation-server.js';
import { createCustomerAuthentication } from '../../src/customer-authentication/adapters/http/http.adapter.js';
import { signOnHttp } from '../../packages/customer-authentication/sign-on-http.js';
import { CertificateAuthority } from '../support/certificates.js';
import { freePort } from '../support/free-port.js';
import { RunningClock } from '../support/running-clock.js';
import { minuteMs, Stack } from '../support/stack.js';

const signOnCredential = 'sign-on-credential-0123456789abcdef';

/** The sandbox as `npm start` puts it together, in one process: gateway, authorization server, bank, inbox and TPP. */
export class TppSetting {
  private readonly others: BankClient[] = [];

  private constructor(
    readonly stack: Stack,
    readonly clock: RunningClock,
    /** The bank with the sign-on and the inbox. The stack's core is another bank. */
    readonly bank: SandboxBank,
    readonly client: BankClient,
    private tpp: FastifyInstance,
    private readonly startTpp: () => Promise<FastifyInstance>,
    /** The stack as the actions of the sandbox reach it. */
    readonly running: RunningStack,
    /** The authority of other TPPs' certificates. */
    private readonly authority: CertificateAuthority,
    private readonly folder: string,
  ) {}

  /** @param versions of the API that the bank serves, the oldest first */
  static async start(versions = versionNames): Promise<TppSetting> {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-tpp-'));
    const clock = new RunningClock();
    const [pki, issuerKeys] = await Promise.all([ensurePki(folder, clock.nowMs()), makeIssuerKeys()]);
    const directoryKey = await readJwk(pki.directoryKeyFile);
    const bank = await startSandboxBank({
      port: 0,
      credential: 'staff',
      signOnCredential,
      issuerKeys,
      directoryKey,
      clock,
    });
    const [browserPort, mtlsPort, tppPort] = [await freePort(), await freePort(), await freePort()];
    const [browserUrl, tppUrl] = [`http://localhost:${browserPort}`, `https://localhost:${mtlsPort}`];
    const origin = `http://localhost:${tppPort}`;
    const host = '127.0.0.1';
    const { certificateFile: certFile, keyFile } = pki.gateway;
    const authority = new CertificateAuthority();
    const clientCaFile = join(folder, 'tpp-authorities.pem');
    await writeFile(clientCaFile, [await readFile(pki.authorityFile, 'utf8'), authority.certificatePem].join('\n'));
    const stack = await Stack.start({
      clock,
      rules: { versions, fundsConfirmation },
      systemClock: new RunningClock(),
      customers: createCustomerAuthentication(
        { url: bank.signOnUrl, variables: { CUSTOMER_AUTHENTICATION_CREDENTIAL: signOnCredential } },
        { http: signOnHttp },
      ),
      config: {
        authorisationServer: {
          browser: { host, port: browserPort, url: browserUrl },
          tpp: { host, port: mtlsPort, url: tppUrl, tls: { certFile, keyFile, clientCaFile } },
          limits: { failures: failureRate },
          acrValues: [strongAuthentication],
          signIn: defaultSignIn,
          keyEncryptionKey: Buffer.alloc(32, 7),
          directory: {
            issuer: directoryIssuer,
            jwks: `${bank.directoryUrl}/jwks.json`,
            statements: `${bank.directoryUrl}/software/{software_id}/statement`,
          },
        },
      },
    });
    await stack.gateway.listen();
    const portOf = ({ server }: typeof stack.gateway) => (server.addresses()[0] as AddressInfo).port;
    const ports = {
      PORT: portOf(stack.gateway),
      SANDBOX_PORT: new URL(bank.url).port,
      BROWSER_PORT: browserPort,
      MTLS_PORT: mtlsPort,
      TPP_PORT: tppPort,
    };
    const settings = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
    const config = readSandboxConfig({ DATA_DIR: folder, BANK_CREDENTIAL: 'staff', ...settings });
    const running = new RunningStack(config, clock);
    const client = await openBank(running, clock);
    const startTpp = async (): Promise<FastifyInstance> => {
      const tpp = createTppServer({
        origin,
        openBank: () => openBank(running, clock),
        bankOrigin: browserUrl,
        versions: versions.toReversed(),
        choices: choicesFor(['ReadStatementsBasic', 'ReadStatementsDetail']),
        inboxUrl: bank.inboxUrl,
        customer: signOnOf({ name: 'complete' }),
        offersFunds: true,
        windowMs: 5 * minuteMs,
        clock,
        sessions: await Sessions.open(join(folder, 'tpp-connections.json')),
      });
      await tpp.listen({ port: tppPort, host });
      return tpp;
    };
    const tpp = await startTpp();
    return new TppSetting(stack, clock, bank, client, tpp, startTpp, running, authority, folder);
  }

  get endpoint(): BankEndpoint {
    return bankEndpoint(this.running.config);
  }

  get server(): AuthorisationServer {
    const { authorisationServer } = this.stack.gateway;
    if (authorisationServer === undefined) throw new Error('the authorization server is off');
    return authorisationServer;
  }

  /** Moneyview restarted, with the contents of its folder. */
  async restartTpp(): Promise<void> {
    await this.tpp.close();
    this.tpp = await this.startTpp();
  }

  /** One more TPP, with its own certificate and its own signing key, which the bank registers itself. */
  async another(id: string): Promise<BankClient> {
    const { certificatePem, keyPem } = this.authority.issue(id);
    const jwk = await makeSigningKey('PS256');
    const write = async (name: string, content: string): Promise<string> => {
      const file = join(this.folder, `${id}.${name}`);
      await writeFile(file, content);
      return file;
    };
    await this.server.registry.put({
      clientId: id,
      name: `The ${id} app`,
      metadata: {
        redirect_uris: [this.endpoint.redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'PS256',
        request_object_signing_alg: 'PS256',
        jwks: { keys: [publicPart(jwk)] },
      },
    });
    const client = await BankClient.open(
      { ...this.endpoint, clientId: id },
      {
        ...pkiFiles(this.folder),
        tpp: { certificateFile: await write('crt', certificatePem), keyFile: await write('key', keyPem) },
        tppSigningKeyFile: await write('jwk', JSON.stringify(jwk)),
      },
      this.clock,
    );
    this.others.push(client);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all(this.others.map((client) => client.close()));
    await this.client.close();
    await this.tpp.close();
    await this.stack.close();
    await this.bank.close();
    await rm(this.folder, { recursive: true });
  }
}
