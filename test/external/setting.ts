import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { JWK } from 'jose';
import { readIssuersFile } from '../../src/config/issuers-file.js';
import { CertificateAuthority, type Certified } from '../support/certificates.js';
import { RunningClock } from '../support/running-clock.js';
import { bankCredential, Stack } from '../support/stack.js';
import { privateJwk } from '../support/token-forge.js';
import { freePort } from '../support/free-port.js';
import { BankServer, type ServerSettings } from './bank-server.js';
import { Tpp } from './tpp.js';

/** The names of the claims at the bank's own server, which the gateway learns only from its configuration. */
export const claims = {
  consentId: 'bank.consent',
  authenticationTime: 'sca.at',
  acr: 'sca.level',
  clientId: 'azp',
  subject: 'sub',
};
const baseUrl = 'https://gateway.example';
const cacheSeconds = 2;

/** A gateway over real mutual TLS whose tokens come from the bank's own server. Only the core belongs to the sandbox. */
export class ExternalSetting {
  private readonly tpps: Tpp[] = [];

  private constructor(
    readonly stack: Stack,
    readonly clock: RunningClock,
    readonly server: BankServer,
    readonly keys: readonly JWK[],
    private readonly authority: CertificateAuthority,
    private readonly folder: string,
  ) {}

  static async start(
    tokens: ServerSettings['tokens'],
    tpps: ServerSettings['tpps'],
    issuer: Readonly<Record<string, unknown>> = {},
  ): Promise<ExternalSetting> {
    const folder = await mkdtemp(join(tmpdir(), 'external-'));
    const file = async (name: string, content: string): Promise<string> => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    const authority = new CertificateAuthority();
    const [ofGateway, ofServer, ofClient] = ['gateway', 'server', 'introspecting-gateway'].map((name) =>
      authority.issue(name),
    ) as [Certified, Certified, Certified];
    const port = await freePort();
    const origin = `https://127.0.0.1:${port}`;
    await file('client.pem', ofClient.certificatePem);
    await file('client-key.pem', ofClient.keyPem);
    const ca = await file('ca.pem', authority.certificatePem);
    const bySignature = { jwks: `${origin}/jwks`, jwksCaFile: 'ca.pem', algorithms: ['PS256'] };
    const byQuestion = {
      introspection: {
        url: `${origin}/token/introspection`,
        clientId: 'introspecting-gateway',
        certificateFile: 'client.pem',
        keyFile: 'client-key.pem',
        caFile: 'ca.pem',
        cacheSeconds,
      },
    };
    const issuers = await file(
      'issuers.json',
      JSON.stringify([
        {
          issuer: origin,
          audience: baseUrl,
          claims,
          binding: 'mtls',
          ...(tokens === 'jwt' ? bySignature : byQuestion),
          ...issuer,
        },
      ]),
    );
    const faults: string[] = [];
    const configured = readIssuersFile(issuers, false, faults);
    if (faults.length > 0) throw new Error(faults.join('; '));

    const clock = new RunningClock();
    const stack = await Stack.start({
      clock,
      config: {
        baseUrl,
        issuers: configured,
        tls: {
          certFile: await file('gateway.pem', ofGateway.certificatePem),
          keyFile: await file('gateway-key.pem', ofGateway.keyPem),
          clientCaFile: ca,
        },
      },
    });
    await stack.gateway.listen();
    const keys = [await privateJwk('PS256', 'first')];
    const server = new BankServer({
      port,
      tokens,
      audience: baseUrl,
      keys,
      tls: { cert: ofServer.certificatePem, key: ofServer.keyPem, ca: authority.certificatePem },
      tpps,
      gateway: 'introspecting-gateway',
      bank: { url: `http://127.0.0.1:${portOf(stack.gateway.bankServer)}`, credential: bankCredential },
    });
    await server.start();
    return new ExternalSetting(stack, clock, server, keys, authority, folder);
  }

  /** Each TPP has a different certificate, also where two have the same client id. */
  async tpp(clientId: string, binding: 'mtls' | 'dpop' | 'none' = 'mtls'): Promise<Tpp> {
    const gateway = `https://127.0.0.1:${portOf(this.stack.gateway.server)}`;
    const places = { gateway, baseUrl, issuer: this.server.issuer, clock: this.clock };
    const tpp = await Tpp.make(
      clientId,
      places,
      this.authority.issue(clientId),
      this.authority.certificatePem,
      binding,
    );
    this.tpps.push(tpp);
    return tpp;
  }

  /** `customer:account,…`, the login hint of the authorization server's test customers. */
  customer(persona: string): string {
    const { customerRef, accounts } = this.stack.persona(persona);
    return `${customerRef}:${accounts.map(({ ref }) => ref).join(',')}`;
  }

  async close(): Promise<void> {
    await Promise.all(this.tpps.map((tpp) => tpp.close()));
    await this.server.stop();
    await this.stack.close();
    await rm(this.folder, { recursive: true });
  }
}

function portOf(server: FastifyInstance): number {
  return (server.server.address() as AddressInfo).port;
}
