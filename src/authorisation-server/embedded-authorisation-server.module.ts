import { Module } from '@nestjs/common';
import { HttpAdapterHost, LazyModuleLoader } from '@nestjs/core';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { AuthorisationServer } from './authorisation-server.js';
import { BootError } from '../config/boot-error.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import type { CurrentCustomers } from '../customer-authentication/current-customers.js';
import { CUSTOMER_AUTHENTICATION } from '../customer-authentication/customer-authentication.js';
import { LOG } from '../observability/log.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { LISTENERS_TLS, type ListenersTls } from '../security/listeners-tls.js';
import { errorNamesOf } from '../server/error-names.js';

/** By this token Nest injects the embedded authorization server; `undefined` where it is switched off. */
export const AUTHORISATION_SERVER = Symbol('AUTHORISATION_SERVER');

/** Loads the embedded authorization server where it is switched on: the library and the pages cost memory and time. */
@Module({
  providers: [
    {
      provide: AUTHORISATION_SERVER,
      inject: [
        ...[LazyModuleLoader, HttpAdapterHost, GATEWAY_CONFIG, PROFILE],
        ...[LOG, CUSTOMER_AUTHENTICATION, LISTENERS_TLS],
      ],
      useFactory: embed,
    },
  ],
  exports: [AUTHORISATION_SERVER],
})
export class EmbeddedAuthorisationServerModule {}

async function embed(
  loader: LazyModuleLoader,
  { httpAdapter }: HttpAdapterHost,
  config: GatewayConfig,
  profile: Profile,
  log: FastifyBaseLogger,
  customers: CurrentCustomers | undefined,
  tls: ListenersTls,
): Promise<AuthorisationServer | undefined> {
  const { authorisationServer: settings } = config;
  if (settings === undefined) return undefined;
  if (customers === undefined)
    throw new BootError(
      'AUTHORISATION_SERVER=embedded needs to know customers: set CUSTOMER_AUTHENTICATION_URL and CUSTOMER_AUTHENTICATION_CREDENTIAL',
    );
  refuseOwnIssuer(config);
  const { AuthorisationServerModule } = await import('./authorisation-server.module.js');
  return AuthorisationServerModule.load(loader, {
    ...{ config: settings, profile, log, customers, tls },
    api: httpAdapter.getInstance<FastifyInstance>(),
    proxy: config.proxy,
    errorNames: errorNamesOf(config),
    coreDeadlineMs: config.core.deadlineMs,
    timeZone: config.bankTimeZone,
  });
}

/** The gateway's own issuer cannot be set as well: its tokens are judged by the keys in the database. */
export function refuseOwnIssuer({
  authorisationServer,
  issuers,
}: Pick<GatewayConfig, 'authorisationServer' | 'issuers'>): void {
  if (authorisationServer === undefined) return;
  const { url } = authorisationServer.browser;
  if (issuers.some(({ issuer }) => issuer.startsWith(`${url}/`)))
    throw new BootError(
      `an issuer of access tokens is configured that begins with BROWSER_URL ${url}, which is our own`,
    );
}
