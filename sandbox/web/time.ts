import { type Html, html } from './html.js';

const clockTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Europe/London' });

/** The time of day as the bank's customers know it: `14:05:09`. */
export function timeOf(atMs: number): Html {
  return timeElement(atMs, clockTime);
}

export function timeElement(atMs: number, format: Intl.DateTimeFormat): Html {
  return html`<time datetime="${new Date(atMs).toISOString()}">${format.format(atMs)}</time>`;
}

/** The rest of an authentication window: `4:12 left`. */
export function left(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}

/**
 * The script's function that shows the rest of each window on the page (`data-left-ms`), and its other half once it has
 * ended. The browser's clock may differ from the server's: only its pace counts.
 */
export const showWindows = `
const showWindows = () => {
  for (const panel of document.querySelectorAll('[data-left-ms]')) {
    const until = (panel.untilMs ??= performance.now() + Number(panel.dataset.leftMs));
    const leftMs = Math.max(0, until - performance.now());
    const seconds = Math.ceil(leftMs / 1000);
    panel.querySelector('[data-countdown]').textContent =
      Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0') + ' left';
    panel.querySelector('progress').value = leftMs;
    panel.querySelector('[data-window=open]').hidden = leftMs === 0;
    panel.querySelector('[data-window=over]').hidden = leftMs > 0;
  }
};
setInterval(showWindows, 1000);
showWindows();
`;
