import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { DocumentUnavailable, TppDocumentClient } from '../../security/tpp-document.client.js';
import { logoImage } from './logo-image.policy.js';
import { AuthorisationLog } from '../listeners/authorisation-log.js';
import { TppLogoStore, type LogoToFetch } from './tpp-logo.store.js';

export const mostLogoBytes = 100 * 1024;
/** The time after which the gateway tries again to fetch a logo. */
export const againAfterMs = 60 * 60_000;
const terms = { accept: 'image/png, image/jpeg, image/gif, image/webp', mostBytes: mostLogoBytes, deadlineMs: 3_000 };
/** The number of logos in one run. The others follow a minute later. */
const mostAtATime = 100;

/** Fetches the logos that TPPs state, so that customers' browsers never ask a TPP's server. */
@Injectable()
export class LogoFetch implements BeforeApplicationShutdown {
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly logos: TppLogoStore,
    private readonly documents: TppDocumentClient,
    private readonly clock: Clock,
    private readonly log: AuthorisationLog,
  ) {}

  /** A registration does not wait for the logo, and does not fail without it. */
  begin(): void {
    void this.run().catch(this.log.noLogos);
  }

  /** Fetches new logos and those that failed before. One run at a time. */
  run(): Promise<void> {
    this.running ??= this.fetchAll().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Begins no other fetch, and waits for the fetch that is under way. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.running?.catch(() => undefined);
  }

  private async fetchAll(): Promise<void> {
    const { logos, clock } = this;
    for (let fetched = 0; fetched < mostAtATime && !this.stopped; fetched++) {
      const nowMs = clock.nowMs();
      const wanted = await logos.take(new Date(nowMs - againAfterMs), new Date(nowMs));
      if (wanted === undefined) return;
      try {
        await logos.keep(wanted, await this.fetchOne(wanted));
      } catch (error) {
        if (!(error instanceof DocumentUnavailable)) throw error;
        this.log.noLogo(wanted.clientId, error);
      }
    }
  }

  private async fetchOne({ url }: LogoToFetch) {
    const document = await this.documents.read(url, terms);
    if (document === undefined) throw new DocumentUnavailable('nothing is there');
    const image = logoImage(document);
    if (image === undefined)
      throw new DocumentUnavailable('not a PNG, JPEG, GIF or WebP image of at most 2,048 pixels a side');
    return { contentType: image.contentType, body: new Uint8Array(document) };
  }
}
