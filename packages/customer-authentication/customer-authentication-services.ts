import { hasName } from '../core-adapter/core-error.js';
import type { CoreClock, CoreLogger, CoreMetrics } from '../core-adapter/core-services.js';
import type { CustomerAuthentication } from './customer-authentication.js';
import type { SignOnHttp } from './sign-on-http.js';

/**
 * The export `createCustomerAuthentication` of an adapter's module. The gateway calls it before it listens. The bank's
 * sign-on need not answer then.
 *
 * @throws SignOnSettingFault for a setting that is missing or wrong
 */
export type CreateCustomerAuthentication = (
  settings: CustomerAuthenticationSettings,
  services: CustomerAuthenticationServices,
) => CustomerAuthentication | Promise<CustomerAuthentication>;

/** The gateway's settings of the bank's customer authentication. */
export interface CustomerAuthenticationSettings {
  /** `CUSTOMER_AUTHENTICATION_URL`: where the bank's sign-on is, without a trailing slash. */
  readonly url: string;
  /** Every environment variable whose name begins with `CUSTOMER_AUTHENTICATION_`, with the secrets of files. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The services that the gateway lends to an adapter of this port. */
export interface CustomerAuthenticationServices {
  readonly logger: CoreLogger;
  readonly clock: CoreClock;
  readonly metrics: CoreMetrics;
  readonly http: SignOnHttp;
}

/**
 * A setting of the sign-on is missing or wrong. The gateway prints it in one line and does not start. It never has the
 * value, which may be a secret.
 */
export class SignOnSettingFault extends Error {
  override readonly name = 'SignOnSettingFault';

  constructor(
    /** The environment variable, e.g. `CUSTOMER_AUTHENTICATION_CLIENT_ID`. */
    readonly setting: string,
    /** The demand, as the end of a sentence: `must be the client id`. */
    readonly rule: string,
  ) {
    super(`${setting} ${rule}`);
  }
}

/** Use it instead of `instanceof`, which does not recognise an error of another copy of the port. */
export function isSignOnSettingFault(error: unknown): error is SignOnSettingFault {
  return hasName(error, 'SignOnSettingFault');
}
