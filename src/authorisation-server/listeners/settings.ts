import { mountPath } from '../../open-banking/authorisation-paths.js';
import type { AuthorisationServerConfig } from '../../config/config.js';
import type { Profile } from '../../profiles/profile.js';

/** How the authorization server is set up. It does not change while the gateway runs. */
export class AuthorisationSettings {
  constructor(
    readonly config: AuthorisationServerConfig,
    readonly profile: Profile,
    /** How long the bank's systems may take for one answer. */
    readonly deadlineMs: number,
  ) {}

  get issuer(): string {
    return `${this.config.browser.url}${mountPath}`;
  }

  /**
   * Whether a browser's connection, or a proxy that the bank has named, says where the browser is. Otherwise a proxy that
   * ends TLS for browsers has the address of all of them.
   */
  get knowsBrowsers(): boolean {
    return !this.secure || this.config.browser.tls !== undefined || this.config.signIn.proxies.length > 0;
  }

  /** Whether browsers come over TLS. */
  get secure(): boolean {
    return this.config.browser.url.startsWith('https:');
  }
}
