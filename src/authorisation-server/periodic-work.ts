import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { LastUseStore } from '../consents/last-use.store.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { sweepAll } from '../persistence/sweep.js';
import { DirectoryClient } from '../security/directory.client.js';
import { sweepJourneys } from './journey/journey.store.js';
import { sweepSignInAttempts } from './journey/sign-in-attempts.store.js';
import { AuthorisationLog } from './listeners/authorisation-log.js';
import { AuthorisationSettings } from './listeners/settings.js';
import { sweepArtefacts } from './oidc/artefact.store.js';
import { SigningKeys } from './oidc/signing-keys.js';
import { LogoFetch } from './tpps/logo-fetch.js';
import { Registration } from './tpps/registration.js';
import { watchStatements } from './tpps/statement-watch.js';
import { sweepDeletedTpps } from './tpps/deleted-tpps.store.js';
import { TppStore } from './tpps/tpp.store.js';

const everyMs = 60_000;
/** TPPs of which the directory is asked at a time. */
const statementsAtATime = 1_000;
/** How late a use of an access may be written, and seen at another process. */
const usesEveryMs = 5_000;
const keysRotateAfterMs = 30 * 86_400_000;

/** The periodic work of the authorization server. */
@Injectable()
export class PeriodicWork {
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly keys: SigningKeys,
    private readonly prisma: PrismaService,
    private readonly tpps: TppStore,
    private readonly logos: LogoFetch,
    private readonly lastUses: LastUseStore,
    private readonly clock: Clock,
    private readonly settings: AuthorisationSettings,
    private readonly log: AuthorisationLog,
    @Inject(DirectoryClient) private readonly directory: DirectoryClient | undefined,
    @Inject(Registration) private readonly registration: Registration | undefined,
  ) {}

  start(): void {
    this.timers.push(setInterval(() => void this.tend(), everyMs).unref());
    this.timers.push(setInterval(() => void this.writeUses(), usesEveryMs).unref());
  }

  stop(): void {
    this.timers.forEach(clearInterval);
  }

  /** Keys, sweeps, and what the directory says of TPPs. */
  async tend(): Promise<void> {
    try {
      await this.keys.load();
      await this.keys.rotateWhenOlderThan(keysRotateAfterMs);
      await this.keys.sweep();
      const nowMs = this.clock.nowMs();
      for (const sweep of [sweepArtefacts, sweepJourneys, sweepSignInAttempts, sweepDeletedTpps])
        await sweepAll(sweep, this.prisma, nowMs);
      await this.askOfTpps(nowMs);
      await this.logos.run();
    } catch (error) {
      this.log.periodicWork(error);
    }
  }

  /** When access was last used, as far as it is not written yet. */
  writeUses(): Promise<void> {
    return this.lastUses.flush().catch(this.log.unwrittenUses);
  }

  private async askOfTpps(nowMs: number): Promise<void> {
    const { tpps, directory, registration, log } = this;
    if (directory === undefined || registration === undefined) return;
    if (this.settings.config.directory?.statements === undefined) return;
    const onSilence = log.silentDirectory;
    await watchStatements({ tpps, directory, registration, onSilence }, nowMs, statementsAtATime);
  }
}
