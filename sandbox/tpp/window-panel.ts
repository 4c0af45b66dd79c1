import { type Html, html } from '../web/html.js';
import { clockTime } from './wording.js';

const afterwards = 'balances and the last 90 days of transactions only';

/**
 * The authentication window as it runs out. The page is right without the script; the script counts down from there,
 * and shows the other half when the time is over.
 */
export function windowPanel(authenticatedAtMs: number, windowMs: number, nowMs: number): Html {
  const endsAtMs = authenticatedAtMs + windowMs;
  const leftMs = Math.max(0, endsAtMs - nowMs);
  const [whileOpen, once] = leftMs > 0 ? [undefined, 'hidden'] : ['hidden', undefined];
  return html`<div class="window" data-left-ms="${leftMs}">
    <div data-window="open" ${whileOpen}>
      <p><b>Everything can be read until ${time(endsAtMs)}</b> <span data-countdown>${minutes(leftMs)}</span></p>
      <progress max="${windowMs}" value="${leftMs}" aria-label="Time in which everything can be read"></progress>
      <p>You identified yourself at the bank at ${time(authenticatedAtMs)}. After the time is over: ${afterwards}.</p>
    </div>
    <div data-window="over" role="status" ${once}>
      <p><b>Since ${time(endsAtMs)} the bank shows ${afterwards}.</b> Identify yourself again to see everything.</p>
    </div>
  </div>`;
}

function time(atMs: number): Html {
  return html`<time datetime="${new Date(atMs).toISOString()}">${clockTime(atMs)}</time>`;
}

function minutes(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}

/** The browser's clock may differ from ours: only its pace counts. */
export const script = `
for (const panel of document.querySelectorAll('[data-left-ms]')) {
  const until = performance.now() + Number(panel.dataset.leftMs);
  const part = (name) => panel.querySelector('[data-window=' + name + ']');
  const tick = () => {
    const leftMs = Math.max(0, until - performance.now());
    const seconds = Math.ceil(leftMs / 1000);
    panel.querySelector('[data-countdown]').textContent =
      Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0') + ' left';
    panel.querySelector('progress').value = leftMs;
    part('open').hidden = leftMs === 0;
    part('over').hidden = leftMs > 0;
    if (leftMs > 0) setTimeout(tick, Math.min(leftMs, 1000));
  };
  tick();
}
`;
