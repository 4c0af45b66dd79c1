import { pino } from 'pino';
import { SystemClock } from '../../src/clock/clock.js';
import { loadConfig } from '../../src/config/load-config.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { ApiVersion } from '../../src/endpoint/api-version.js';
import { createGateway, type Gateway } from '../../src/boot/gateway.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import type { Profile } from '../../src/profiles/profile.js';
import { documentIn } from '../../src/openapi/documentation-pages.js';

/** Where a gateway is meant to be found that was started nowhere. */
export const exampleBaseUrl = 'https://bank.example';

/**
 * The OpenAPI document of a profile in one version of the API, from the very routes that a gateway serves: they are made on no database and no
 * core, asked what they declare, and thrown away. Except for the URL of the server it is the gateway's answer.
 */
export function declaredDocument(profile: Profile, version: ApiVersion): Promise<object> {
  return declared(profile, ({ server }) => documentIn(server, version));
}

/** The same for the bank-facing API, which is one for every profile. */
export function declaredBankFacingDocument(profile: Profile): Promise<object> {
  return declared(profile, ({ bankServer }) => bankServer.swagger());
}

async function declared(profile: Profile, document: (gateway: Gateway) => object): Promise<object> {
  const gateway = await createGateway({
    config: loadConfig(settings),
    profile,
    adapter: noCore,
    clock: new SystemClock(),
    log: pino({ enabled: false }),
    persistence: { module: NoPersistence, global: true, providers, exports: [PrismaService] },
  });
  const facts = document(gateway);
  await gateway.close();
  return facts;
}

/** The file of a profile's document, as it is committed. */
export function documentText(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

class NoPersistence {}
const providers = [{ provide: PrismaService, useValue: {} }];

const noRead = (): Promise<never> => Promise.reject(new CoreError('unavailable', 'there is no core'));
const noCore: CoreAdapter = {
  name: 'none',
  pending: 'none',
  missing: {},
  accounts: noRead,
  account: noRead,
  health: noRead,
  close: () => Promise.resolve(),
};

/** Nothing listens and nothing is signed: of all this only the base URL shows in a document. */
const settings = {
  BASE_URL: exampleBaseUrl,
  CORE_URL: exampleBaseUrl,
  TOKEN_ISSUER: exampleBaseUrl,
  TOKEN_AUDIENCE: exampleBaseUrl,
  TOKEN_JWKS: exampleBaseUrl,
  BANK_CREDENTIAL: 'not-used:there-is-nobody-to-present-it',
  ID_KEY: 'not used: there is nothing to name by it',
  TRAIL_KEY: 'not used: no segment is ever closed here',
  PSEUDONYM_KEY: 'not used: there is no subject to name by it',
  // No balancer has to learn that it stops.
  STOP_DELAY_SECONDS: '0',
};
