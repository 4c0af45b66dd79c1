import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalJWKSet, importJWK, SignJWT } from 'jose';
import type { JwtIssuerConfig } from '../../src/config/config.js';
import { readIssuersFile } from '../../src/config/issuers-file.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { taggedBlocks } from '../support/documents.js';
import type { AccessToken } from '../../src/request/request-context.js';
import { JwtIssuer } from '../../src/security/tokens/jwt-issuer.js';
import { tppId } from '../../src/open-banking/tpp-id.js';
import { FakeClock } from '../support/fake-clock.js';
import { noon } from '../support/stack.js';
import { privateJwk } from '../support/token-forge.js';
import { publicPart } from '../../sandbox/bank/issuer.js';

interface Mapper {
  readonly name: string;
  readonly protocolMapper: string;
  readonly config: Readonly<Record<string, string>>;
}
interface Realm {
  readonly realm: string;
  readonly clientScopes: readonly { readonly name: string; readonly protocolMappers: readonly Mapper[] }[];
  readonly clients: readonly {
    readonly clientId: string;
    readonly defaultClientScopes: readonly string[];
    readonly attributes: Readonly<Record<string, string>>;
  }[];
}
type Claims = Record<string, unknown>;

const docs = join(packageRoot(), 'docs', 'operate');
const realm = JSON.parse(readFileSync(join(docs, 'keycloak-realm.json'), 'utf8')) as Realm;
const [client] = realm.clients;
const mappers = realm.clientScopes
  .filter(({ name }) => client?.defaultClientScopes.includes(name))
  .flatMap(({ protocolMappers }) => protocolMappers);

/** The data of an authorisation in a session of Keycloak, as the recipe's authenticator leaves it. */
const nowSeconds = noon / 1_000;
const notes: Readonly<Record<string, string>> = { openbanking_consent_id: 'aac-1', AUTH_TIME: String(nowSeconds - 7) };
const attributes: Readonly<Record<string, string>> = { customer_ref: 'customer-1' };

/** `claim.name`: a dot makes an object, as Keycloak documents it. */
function put(claims: Claims, name: string, value: unknown): void {
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) claims[first] = value;
  else put((claims[first] ??= {}) as Claims, rest.join('.'), value);
}

function typed(value: string | undefined, label: string | undefined): unknown {
  return label === 'long' ? Number(value) : value;
}

/** The claims that the mappers write into an access token, by Keycloak's documentation of each. */
function emitted(used: readonly Mapper[]): Claims {
  const claims: Claims = {};
  for (const { protocolMapper, config } of used) {
    if (config['access.token.claim'] !== 'true') continue;
    const name = config['claim.name'] ?? '';
    switch (protocolMapper) {
      case 'oidc-audience-mapper':
        claims['aud'] = config['included.custom.audience'];
        break;
      case 'oidc-usersessionmodel-note-mapper':
        put(claims, name, typed(notes[config['user.session.note'] ?? ''], config['jsonType.label']));
        break;
      case 'oidc-usermodel-attribute-mapper':
        put(claims, name, typed(attributes[config['user.attribute'] ?? ''], config['jsonType.label']));
        break;
      case 'oidc-acr-mapper':
        claims['acr'] = client?.attributes['default.acr.values'];
        break;
      default:
        throw new Error(`the test does not know the mapper ${protocolMapper}`);
    }
  }
  return claims;
}

describe("the recipe for Keycloak's claim mappers", () => {
  let config: JwtIssuerConfig;
  let key: Awaited<ReturnType<typeof privateJwk>>;

  beforeAll(async () => {
    const faults: string[] = [];
    const [issuer] = readIssuersFile(join(docs, 'keycloak-issuers.json'), false, faults);
    expect(faults).toEqual([]);
    config = issuer as JwtIssuerConfig;
    key = await privateJwk(client?.attributes['access.token.signed.response.alg'] ?? '', 'realm');
  });

  /** A token as Keycloak would sign it: Keycloak adds azp, scope and cnf, and no `client_id`. */
  const read = async (used: readonly Mapper[]): Promise<AccessToken> => {
    const header = client?.attributes['access.token.header.type.rfc9068'] === 'true' ? 'at+jwt' : 'JWT';
    const bound = client?.attributes['tls.client.certificate.bound.access.tokens'] === 'true';
    const token = await new SignJWT({
      iss: `https://sso.bank.example/realms/${realm.realm}`,
      iat: nowSeconds,
      exp: nowSeconds + 300,
      azp: client?.clientId,
      scope: client?.defaultClientScopes.join(' '),
      ...(bound && { cnf: { 'x5t#S256': 'thumbprint' } }),
      ...emitted(used),
    })
      .setProtectedHeader({ alg: key.alg ?? '', typ: header, kid: 'realm' })
      .sign(await importJWK(key, key.alg));
    const keys = createLocalJWKSet({ keys: [publicPart(key)] });
    return new JwtIssuer(config, keys, new FakeClock(noon)).verify(token);
  };

  it('writes every claim that the configuration of the gateway reads', async () => {
    expect(await read(mappers)).toEqual({
      tpp: tppId(config.issuer, 'tpp-example'),
      scopes: new Set(['accounts']),
      consentId: 'aac-1',
      authenticatedAtMs: noon - 7_000,
      acr: 'two-factor',
      customerRef: 'customer-1',
      certificateThumbprint: 'thumbprint',
      expiresAtMs: noon + 300_000,
    });
  });

  it('needs each of its mappers', async () => {
    const whole = await read(mappers);
    for (const left of mappers) {
      const outcome = await read(mappers.filter((mapper) => mapper !== left)).catch((error: Error) => error.name);
      expect([left.name, outcome]).not.toEqual([left.name, whole]);
    }
    expect(mappers.map(({ name }) => name)).toHaveLength(5);
  });

  it('keeps the gateway’s claims out of the id token, and writes them into introspection answers too', () => {
    for (const { name, config: settings } of mappers) {
      expect([name, settings['introspection.token.claim']]).toEqual([name, 'true']);
      if (['consent id', 'customer reference'].includes(name)) expect(settings['id.token.claim']).toBe('false');
    }
  });
});

describe('the document of an external authorization server', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'documented-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('shows an ISSUERS_FILE that the gateway accepts', () => {
    const [example = ''] = taggedBlocks('issuers-file');
    for (const [file] of example.matchAll(/[\w-]+\.pem/g)) writeFileSync(join(folder, file), 'PEM');
    writeFileSync(join(folder, 'issuers.json'), example);
    const faults: string[] = [];
    const issuers = readIssuersFile(join(folder, 'issuers.json'), false, faults);
    expect(faults).toEqual([]);
    expect(issuers.map(({ issuer, binding }) => [issuer, binding])).toEqual([
      ['https://as.bank.example', 'mtls'],
      ['https://legacy.bank.example', 'dpop'],
    ]);
  });
});
