import { Module, type DynamicModule } from '@nestjs/common';
import { BootError } from '../config/boot-error.js';
import type { GatewayConfig } from '../config/config.js';

/** By this token Nest injects the embedded authorization server; `undefined` where it is switched off. */
export const AUTHORISATION_SERVER = Symbol('AUTHORISATION_SERVER');

/** Loads the embedded authorization server where it is switched on: the library and the pages cost memory and time. */
@Module({})
export class EmbeddedAuthorisationServerModule {
  /** Nest reads every module before it makes anything, so the loading holds up no open database. @throws BootError */
  static async forRoot(config: GatewayConfig): Promise<DynamicModule> {
    const common = { module: EmbeddedAuthorisationServerModule, global: true, exports: [AUTHORISATION_SERVER] };
    if (config.authorisationServer === undefined)
      return { ...common, providers: [{ provide: AUTHORISATION_SERVER, useFactory: () => undefined }] };
    refuseOwnIssuer(config.authorisationServer.browser.url, config.issuers);
    const { AuthorisationServer, AuthorisationServerModule } = await import('./authorisation-server.module.js');
    return {
      ...common,
      imports: [AuthorisationServerModule.forRoot(config, config.authorisationServer)],
      providers: [{ provide: AUTHORISATION_SERVER, useExisting: AuthorisationServer }],
    };
  }
}

/** The settings must not name the issuer of the embedded server: the gateway checks its tokens by the keys in the database. */
function refuseOwnIssuer(url: string, issuers: GatewayConfig['issuers']): void {
  if (issuers.some(({ issuer }) => issuer.startsWith(`${url}/`)))
    throw new BootError(
      `an issuer of access tokens begins with BROWSER_URL ${url}, which is the embedded authorization server: correct TOKEN_ISSUER or ISSUERS_FILE`,
    );
}
