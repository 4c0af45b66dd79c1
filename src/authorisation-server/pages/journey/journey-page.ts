import type { PageDocument } from '../customer-pages.js';
import { html, type Html } from '../html.js';
import type { Site } from '../site.js';
import { pageDocument } from '../page-document.js';

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

/** One step of a journey: the step's form, then the request, which is next to the form on a wide window. */
export function journeyPage(site: Site, page: JourneyStep): PageDocument {
  return pageDocument(site, {
    title: page.title,
    problem: page.problem !== undefined,
    main: html`${page.problem}
      <p class="step">${site.say('journey.step', { step: page.step })}</p>
      <h1>${page.heading}</h1>
      ${page.introduction} ${page.content}`,
  });
}
