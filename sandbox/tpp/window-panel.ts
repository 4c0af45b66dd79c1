import { type Html, html } from '../web/html.js';
import { left, timeOf } from '../web/time.js';

const afterwards = 'balances and the last 90 days of transactions only';

/**
 * The authentication window as it runs out. The page is right without the script; the script counts down from there,
 * and shows the other half when the time has ended.
 */
export function windowPanel(authenticatedAtMs: number, windowMs: number, nowMs: number): Html {
  const endsAtMs = authenticatedAtMs + windowMs;
  const leftMs = Math.max(0, endsAtMs - nowMs);
  const [whileOpen, once] = leftMs > 0 ? [undefined, 'hidden'] : ['hidden', undefined];
  return html`<div class="window" data-left-ms="${leftMs}">
    <div data-window="open" ${whileOpen}>
      <p><b>Everything can be read until ${timeOf(endsAtMs)}</b> <span data-countdown>${left(leftMs)}</span></p>
      <progress max="${windowMs}" value="${leftMs}" aria-label="Time in which everything can be read"></progress>
      <p>
        You identified yourself at the bank at ${timeOf(authenticatedAtMs)}. When the time has ended: ${afterwards}.
      </p>
    </div>
    <div data-window="over" role="status" ${once}>
      <p><b>Since ${timeOf(endsAtMs)} the bank shows ${afterwards}.</b> Identify yourself again to see everything.</p>
    </div>
  </div>`;
}
