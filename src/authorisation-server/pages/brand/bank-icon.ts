import { html } from '../html.js';
import type { Brand } from './brand.js';

/** The icon of the pages in the browser's tab: the first letter of the bank's name in its colours. A logo is too wide. */
export function bankIcon({ name, colours: { primary, onPrimary } }: Brand): string {
  const [letter = ''] = name;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="6" fill="${primary}" />
    <text
      x="16"
      y="23"
      text-anchor="middle"
      font-family="sans-serif"
      font-size="20"
      font-weight="700"
      fill="${onPrimary}"
    >
      ${letter.toUpperCase()}
    </text>
  </svg>`.toString();
}
