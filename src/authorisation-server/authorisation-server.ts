import { Injectable } from '@nestjs/common';
import { AccessUses } from './access-uses.js';
import { AuthorisationListeners } from './authorisation-listeners.js';
import { SignInLimits } from './sign-in/sign-in-limits.js';
import { SigningKeys } from '../security/signing-keys.js';
import { PeriodicWork } from './periodic-work.js';
import { EmbeddedTppCheck } from './tpps/embedded-tpp.check.js';
import { TppRegistry } from './tpps/tpp.registry.js';
import { TppStore } from './tpps/tpp.store.js';

/** The embedded authorization server, as the rest of the gateway knows it. */
@Injectable()
export class AuthorisationServer {
  /** After each request of the API: remembers which access was used. */
  readonly observe: AccessUses['observe'];

  constructor(
    readonly tpps: TppStore,
    readonly registry: TppRegistry,
    readonly keys: SigningKeys,
    readonly signInLimits: SignInLimits,
    private readonly listeners: AuthorisationListeners,
    private readonly work: PeriodicWork,
    /** Checks the TPP of each request to the API, after its token. */
    readonly check: EmbeddedTppCheck,
    { observe }: AccessUses,
  ) {
    this.observe = observe;
  }

  listen(maxConnections: number): Promise<void> {
    return this.listeners.listen(maxConnections);
  }

  /** Does the periodic work now: rotates keys, removes expired rows, and asks the directory about TPPs. */
  runPeriodicWork(): Promise<void> {
    return this.work.now();
  }
}
