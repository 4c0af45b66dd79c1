// Nightly: it needs glewlwyd.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import type {
  AuthenticationRequest,
  CustomerAuthentication,
} from '../../packages/customer-authentication/customer-authentication.js';
import { signOnHttp } from '../../packages/customer-authentication/sign-on-http.js';
import { createCustomerAuthentication } from '../../src/customer-authentication/adapters/oidc/oidc.adapter.js';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportPKCS8, exportSPKI, generateKeyPair } from 'jose';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';

const program = '/usr/bin/glewlwyd';
const tables = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3';

const glewlwydIsInstalled = existsSync(program) && existsSync(tables);

interface GlewlwydPerson {
  readonly username: string;
  readonly name: string;
  readonly password: string;
}

interface GlewlwydClient {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
}

/** Debian's Glewlwyd, an OpenID provider in C, with one client, over loopback. */
class Glewlwyd {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(client: GlewlwydClient, people: readonly GlewlwydPerson[]): Promise<Glewlwyd> {
    const folder = await mkdtemp(join(tmpdir(), 'glewlwyd-'));
    const database = join(folder, 'database');
    execFileSync('sqlite3', [database], { input: readFileSync(tables) });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const file = join(folder, 'glewlwyd.conf');
    await writeFile(file, configuration({ port, url, database }));
    const child = spawn(program, [`--config-file=${file}`], { stdio: 'ignore' });
    const answers = (): Promise<boolean> =>
      fetch(`${url}/config/`).then(
        () => true,
        () => false,
      );
    await until(async () => child.exitCode !== null || (await answers()));
    if (child.exitCode !== null) throw new Error(`Glewlwyd ended with ${child.exitCode}: run it with ${file}`);
    const made = new Glewlwyd(url, folder, child);
    await made.configure(client, people);
    return made;
  }

  get issuer(): string {
    return `${this.url}/api/oidc`;
  }

  /** Signs the person in, as the provider's own page does by scripts. @returns the address to which the browser is sent back */
  async signIn(authorizationUrl: string, { username, password }: GlewlwydPerson): Promise<string> {
    const sessions = new Session(this.url);
    const asked = await sessions.send('GET', authorizationUrl);
    const login = new URL(asked.headers.get('location') ?? '', authorizationUrl);
    await sessions.send('POST', '/api/auth/', { username, password });
    const client = login.searchParams.get('client_id') ?? '';
    await sessions.send('PUT', `/api/auth/grant/${client}`, { scope: 'openid' });
    const callback = login.searchParams.get('callback_url') ?? '';
    const back = await sessions.send('GET', `${callback}&g_continue`);
    return back.headers.get('location') ?? '';
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
    await rm(this.folder, { recursive: true });
  }

  private async configure(
    { id, secret, redirectUri }: GlewlwydClient,
    people: readonly GlewlwydPerson[],
  ): Promise<void> {
    const staff = new Session(this.url);
    await staff.send('POST', '/api/auth/', { username: 'admin', password: 'password' });
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const [key, cert] = [await exportPKCS8(privateKey), await exportSPKI(publicKey)];
    await staff.send('POST', '/api/mod/plugin/', {
      module: 'oidc',
      name: 'oidc',
      display_name: 'OpenID Connect',
      parameters: { ...pluginParameters, iss: this.issuer, key, cert },
    });
    for (const { username, name, password } of people)
      await staff.send('POST', '/api/user/?source=database', {
        username,
        name,
        password,
        email: '',
        enabled: true,
        scope: ['openid'],
      });
    await staff.send('POST', '/api/client/?source=database', {
      client_id: id,
      name: 'The gateway',
      password: secret,
      confidential: true,
      enabled: true,
      scope: ['openid'],
      authorization_type: ['code'],
      redirect_uri: [redirectUri],
      token_endpoint_auth_method: ['client_secret_basic'],
    });
  }
}

const pluginParameters = {
  'jwt-type': 'ecdsa',
  'jwt-key-size': '256',
  'access-token-duration': 3_600,
  'refresh-token-duration': 3_600,
  'code-duration': 600,
  'allow-non-oidc': false,
  'auth-type-code-enabled': true,
  'auth-type-id-token-enabled': true,
  'pkce-allowed': true,
  'pkce-required': true,
  'pkce-method-plain-allowed': false,
  'jwks-show': true,
  'oauth-par-allowed': true,
  'oauth-par-duration': 90,
  'oauth-par-request_uri-prefix': 'urn:ietf:params:oauth:request_uri:',
  'subject-type': 'public',
  'name-claim': 'mandatory',
};

function configuration({ port, url, database }: { port: number; url: string; database: string }): string {
  return `
port=${port}
bind_address="127.0.0.1"
external_url="${url}"
login_url="login.html"
api_prefix="api"
log_mode="console"
log_level="ERROR"
cookie_secure=0
session_expiration=3600
session_key="SESSION"
admin_scope="g_admin"
profile_scope="g_profile"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
login_api_enabled=true
user_module_path="/usr/lib/glewlwyd/user"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
use_secure_connection=false
secure_connection_key_file="/nowhere"
secure_connection_pem_file="/nowhere"
secure_connection_ca_file="/nowhere"
hash_algorithm="SHA512"
database={ type="sqlite3" path="${database}" };
`;
}

/** The cookies of one browser. */
class Session {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly url: string) {}

  async send(method: string, path: string, body?: object): Promise<Response> {
    const answer = await fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...this.cookies].map((pair) => pair.join('=')).join('; '),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    if (answer.status >= 400)
      throw new Error(`Glewlwyd answered ${answer.status} to ${method} ${path}: ${await answer.text()}`);
    return answer;
  }
}

// eslint-disable-next-line no-console -- that nothing was tried must be seen
if (!glewlwydIsInstalled) console.warn('Debian’s glewlwyd is absent: NO OpenID provider but oidc-provider is tried');

const returnTo = { url: 'https://gateway.example/as/sign-on/return', state: 'state-of-this-sign-in-0123456789' };
const amelia = { username: 'amelia', name: 'Amelia Hart', password: 'password of Amelia' };
const secret = 'b6a1f0c4d29e4857a3c1f0b7e8d2946c';
const never = new AbortController().signal;
const request: AuthenticationRequest = {
  purpose: 'dashboard',
  browser: { deviceCookie: 'd'.repeat(43) },
  returnTo,
  acrValues: ['urn:openbanking:psd2:sca'],
  language: 'en-GB',
};

(glewlwydIsInstalled ? describe : describe.skip)('a provider that is not oidc-provider: Glewlwyd', () => {
  let provider: Glewlwyd;
  let signOn: CustomerAuthentication;
  beforeAll(async () => {
    provider = await Glewlwyd.start({ id: 'gateway', secret, redirectUri: returnTo.url }, [amelia]);
    const variables = {
      CUSTOMER_AUTHENTICATION_CLIENT_ID: 'gateway',
      CUSTOMER_AUTHENTICATION_CREDENTIAL: secret,
      CUSTOMER_AUTHENTICATION_SCOPE: 'openid',
    };
    const services = { ...kitServices, http: signOnHttp };
    signOn = await createCustomerAuthentication({ url: provider.issuer, variables }, services);
  });
  afterAll(async () => {
    await signOn?.close();
    await provider?.close();
  });

  const begun = async () => {
    const step = await signOn.begin(request, never);
    if (step.step !== 'redirect') throw new Error(`the step is ${step.step}`);
    return step;
  };

  it('takes the pushed request and the code, and is refused because it states no time of authentication', async () => {
    const step = await begun();
    expect(new URL(step.url).searchParams.get('request_uri')).toMatch(/^urn:/);
    const url = await provider.signIn(step.url, amelia);
    expect(url).toMatch(/[?&]code=/);
    // Its ID token has a right signature, issuer, audience and nonce. Its auth_time is 0, and it has no acr.
    await expect(signOn.continue(step.state, { input: 'return', url }, never)).rejects.toThrow(
      'the OpenID provider’s answer is refused (OAUTH_JWT_TIMESTAMP_CHECK_FAILED)',
    );
  });

  it('has its own code refused when it comes back a second time', async () => {
    const step = await begun();
    const input = { input: 'return', url: await provider.signIn(step.url, amelia) } as const;
    const twice = [1, 2].map(() => signOn.continue(step.state, input, never));
    for (const result of await Promise.allSettled(twice)) expect(result.status).toBe('rejected');
  });
});
