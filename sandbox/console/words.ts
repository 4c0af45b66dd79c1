import { type Html, html } from '../web/html.js';
import { timeElement } from '../web/time.js';

const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'Europe/London',
});
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Europe/London' });

export function dayAndTimeOf(atMs: number): Html {
  return timeElement(atMs, dayAndTime);
}

export function dayOf(atMs: number): Html {
  return timeElement(atMs, day);
}

/** How long it is, in the two largest units: `90 days`, `15 minutes`, `1 day 2 hours`. */
export function duration(ms: number): string {
  const units: [string, number][] = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1_000],
  ];
  let restMs = ms;
  const parts = units.flatMap(([name, unitMs]) => {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  });
  return parts.slice(0, 2).join(' ') || '0 seconds';
}

/** A form with one button. */
export function button(
  action: string,
  words: string,
  fields: Readonly<Record<string, string>>,
  { label }: { readonly label?: string } = {},
): Html {
  return html`<form method="post" action="${action}">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}<button
      ${label === undefined ? undefined : html`aria-label="${label}"`}
    >
      ${words}
    </button>
  </form>`;
}
