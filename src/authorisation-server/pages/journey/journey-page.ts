import type { AccessRequest, PageDocument } from '../customer-pages.js';
import { html, type Html } from '../html.js';
import type { Site } from '../site.js';
import { tppLogo } from '../who-asks.js';
import { wholePage } from '../whole-page.js';

interface JourneyStep {
  readonly title: Html;
  /** Counted from 1, of three: sign in, code, decision. */
  readonly step: 1 | 2 | 3;
  readonly heading: Html;
  readonly introduction: Html;
  /** The summary of the faults; it stands before everything else. */
  readonly problem?: Html | undefined;
  readonly content: Html;
}

/** One step of a journey: the TPP on top, then the step's form, then the request, which is next to the form on a wide window. */
export function journeyPage(site: Site, tpp: AccessRequest['tpp'], page: JourneyStep): PageDocument {
  return wholePage(site, {
    title: page.title,
    problem: page.problem !== undefined,
    main: html`${page.problem}
      <div class="opening">
        ${tppLogo(tpp)}
        <div>
          <p class="step">${site.say('journey.step', { step: page.step })}</p>
          <h1>${page.heading}</h1>
        </div>
      </div>
      ${page.introduction} ${page.content}`,
  });
}
