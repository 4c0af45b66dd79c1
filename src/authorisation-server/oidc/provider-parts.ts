import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import type Provider from 'oidc-provider';
import type { AdapterFactory } from 'oidc-provider';
import { BankClock, Clock } from '../../clock/clock.js';
import { ConsentService } from '../../consents/consent.service.js';
import { ClientCertificates } from '../../security/tls/client-certificate.js';
import type { AuthorisationLog } from '../listeners/authorisation-log.js';
import { RequestLimits } from '../listeners/request-limits.js';
import type { AuthorisationSettings } from '../listeners/settings.js';
import { PagesByLanguage } from '../pages/pages.js';
import type { TokenExchange } from './token-exchange.js';

export const accessTokenSeconds = 10 * 60;
/** Longer than the customer has for the journey, so that the gateway can still send the TPP an error after that time. */
export const interactionSeconds = 60 * 60;

/** The library's record of an authorization request during the customer's journey. */
export type Interaction = InstanceType<Provider['Interaction']>;

/** The browser's next address, and the `Set-Cookie` line for it. Without a line the browser needs the cookie that it has. */
export interface BegunJourney {
  readonly location: string;
  readonly cookie?: string;
}

/** Begins the customer's way through the pages. */
export abstract class BeginsJourneys {
  abstract begin(interaction: Interaction): Promise<BegunJourney>;
}

/** The services that the library's functions use. */
@Injectable()
export class LibraryServices {
  constructor(
    readonly certificates: ClientCertificates,
    readonly limits: RequestLimits,
    readonly consents: ConsentService,
    readonly journeys: BeginsJourneys,
    readonly pages: PagesByLanguage,
    readonly clock: Clock,
    readonly bankClock: BankClock,
  ) {}
}

export interface ProviderParts extends LibraryServices {
  readonly settings: AuthorisationSettings;
  readonly exchange: TokenExchange;
  readonly log: AuthorisationLog;
  readonly jwks: { keys: JWK[] };
  readonly helpUrl: string;
  readonly adapter: AdapterFactory;
}
