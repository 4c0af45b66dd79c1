import { type Html, html } from '../web/html.js';

/** The answer of the gateway's port for the bank to the question why it answered a request so. */
export interface WhyAnswer {
  readonly Events: readonly ExplainedEvent[];
  readonly NotFound?: string;
}

interface ExplainedEvent {
  readonly DateTime: string;
  readonly Asked: string;
  readonly Outcome: string;
  readonly Checks: readonly { readonly Check: string; readonly Outcome: string; readonly Facts?: string }[];
  readonly Reason?: { readonly Code: string; readonly Meaning: string; readonly Remedy: string };
  readonly NeededToPass?: string;
  readonly Core?: string;
  readonly ErrorId?: string;
}

/** Explains each event with an interaction id, as `npm run ops -- trail why` does. */
export function whyContent(id: string, { Events, NotFound }: WhyAnswer): Html {
  return html`<h2>Why the gateway answered so</h2>
    <p class="quiet">Interaction id <code>${id}</code></p>
    ${NotFound && html`<p>${NotFound}</p>`} ${Events.map(oneEvent)}
    <p><a href="/#requests">Back to the requests</a></p>`;
}

function oneEvent(event: ExplainedEvent): Html {
  const { DateTime, Asked, Outcome, Checks, Reason, NeededToPass, Core, ErrorId } = event;
  return html`<section>
    <h3>${sentence(Asked)}</h3>
    <p class="quiet"><time datetime="${DateTime}">${DateTime}</time></p>
    ${Outcome && html`<p><b>${sentence(Outcome)}</b></p>`}
    ${Reason && html`<p>${Reason.Meaning} ${Reason.Remedy} <small>(${Reason.Code})</small></p>`}
    ${NeededToPass && html`<p>Needed to pass: ${NeededToPass}.</p>`}
    ${
      Checks.length === 0
        ? undefined
        : html`<ol class="checks" aria-label="The checks, in their order">
            ${Checks.map(oneCheck)}
          </ol>`
    }
    ${Core && html`<p>${sentence(Core)}</p>`}
    ${ErrorId && html`<p>The caller received the error id <code>${ErrorId}</code>.</p>`}
  </section>`;
}

const looks: Readonly<Record<string, string>> = { passed: 'answered', refused: 'refused' };

function oneCheck({ Check, Outcome, Facts }: ExplainedEvent['Checks'][number]): Html {
  return html`<li>
    ${Check}: <b class="${looks[Outcome] ?? 'quiet'}">${Outcome}</b>
    ${Facts && html`<span class="quiet">${Facts}</span>`}
  </li>`;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
