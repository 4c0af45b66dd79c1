import type { PageDocument } from './customer-pages.js';
import { html, type Html } from './html.js';
import type { Site } from './site.js';
import { pageDocument } from './page-document.js';

interface StepPage {
  readonly title: Html;
  /** Counted from 1, of three: sign in, code, decision. Absent at the dashboard. */
  readonly step?: 1 | 2 | 3 | undefined;
  readonly heading: Html;
  readonly introduction: Html;
  /** The summary of the faults; it stands before everything else. */
  readonly problem?: Html | undefined;
  /** Stands before the heading. */
  readonly note?: Html | undefined;
  readonly content: Html;
}

/** The step's form, then the request, which is next to the form on a wide window. */
export function stepPage(site: Site, page: StepPage): PageDocument {
  return pageDocument(site, {
    title: page.title,
    problem: page.problem !== undefined,
    main: html`${page.problem} ${page.note}
      ${page.step && html`<p class="step">${site.say('journey.step', { step: page.step })}</p>`}
      <h1>${page.heading}</h1>
      ${page.introduction} ${page.content}`,
  });
}
