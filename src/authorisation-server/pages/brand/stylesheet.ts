import type { BrandColours } from './brand.js';
import { darkPalette, lightPalette, type Palette } from './palette.js';

/**
 * The style sheet of every page. Nothing moves, so customers who asked for less motion need no other style. Sizes are in `rem`,
 * so they follow the customer's text size.
 */
export function stylesheet({ primary, onPrimary, primaryInDark, onPrimaryInDark }: BrandColours): string {
  return `:root {
  color-scheme: light dark;
  --masthead: ${primary};
  --on-masthead: ${onPrimary};
  ${variables(lightPalette, primary, onPrimary)}
}
@media (prefers-color-scheme: dark) {
  :root {
    ${variables(darkPalette, primaryInDark, onPrimaryInDark)}
  }
}
${rules}`;
}

function variables(palette: Palette, brand: string, onBrand: string): string {
  const all = Object.entries({ ...palette, brand, 'on-brand': onBrand });
  return all.map(([name, colour]) => `--${name}: ${colour};`).join(' ');
}

const rules = `
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: break-word;
}
.frame { width: 100%; max-width: 66rem; margin: 0 auto; padding: 0 1rem; }

.masthead { background: var(--masthead); color: var(--on-masthead); }
.masthead .frame { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 4rem; }
.masthead form { margin: 0; }
.brand { font-size: 1.25rem; font-weight: 650; letter-spacing: 0.01em; min-width: 0; }
img.brand { display: block; height: auto; max-height: 2.5rem; width: auto; max-width: min(15rem, 60vw); }

main.frame { flex: 1; padding-top: 1.25rem; padding-bottom: 2rem; }
main:focus { outline: none; }
footer { border-top: 1px solid var(--line); color: var(--muted); font-size: 0.875rem; }
footer p.frame { padding-top: 1.25rem; padding-bottom: 1.25rem; }

h1 { font-size: 1.5rem; line-height: 1.2; letter-spacing: -0.01em; margin: 0; text-wrap: balance; }
h2 { font-size: 1.1875rem; line-height: 1.3; margin: 0 0 1rem; }
h3 { font-size: 1.125rem; line-height: 1.3; margin: 0; }
h4 { font-size: 0.875rem; font-weight: 600; color: var(--muted); margin: 1rem 0 0.25rem; }
p { margin: 0 0 1rem; }
.introduction { font-size: 1.0625rem; color: var(--muted); max-width: 44rem; margin: 0.5rem 0 1rem; }
.step { font-size: 0.875rem; font-weight: 600; color: var(--muted); margin: 0 0 0.25rem; }
.hint { color: var(--muted); font-size: 0.9375rem; }
.panel > .hint:last-child { margin: 1.25rem 0 0; }
main > .hint { margin: 2rem 0 0; }
a { color: var(--brand); text-underline-offset: 0.15em; }
a:hover { text-decoration-thickness: 2px; }

:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 2px; }
.masthead :focus-visible { outline-color: var(--on-masthead); }
.skip { position: absolute; left: 1rem; top: -6rem; padding: 0.75rem 1rem; background: var(--surface); color: var(--text); z-index: 1; }
.skip:focus { top: 0.5rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.two-columns { display: grid; gap: 1rem; align-items: start; }
.one-column { max-width: 36rem; margin-top: 1.5rem; }
.two-columns > *, .one-column > * { min-width: 0; }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: 0.5rem; padding: 1.25rem; }
.notice { max-width: 40rem; padding: 1.75rem 1.5rem 1.5rem; border-top: 4px solid var(--brand); border-radius: 0 0 0.5rem 0.5rem; }
.notice h1 { margin-bottom: 0.75rem; }
.notice > :last-child { margin-bottom: 0; }

.problem { background: var(--surface); border: 2px solid var(--problem); border-radius: 0.5rem; padding: 1rem 1.25rem; margin-bottom: 1.5rem; max-width: 44rem; }
.problem h2 { margin-bottom: 0.5rem; }
.problem a { color: var(--problem); font-weight: 600; display: inline-block; padding: 0.125rem 0; }
.problem p { margin-bottom: 0.5rem; }
.problem p:last-child { margin-bottom: 0; }
.note { background: var(--surface); border: 1px solid var(--line); border-left: 4px solid var(--success); border-radius: 0.25rem; padding: 0.875rem 1.25rem; margin-bottom: 1.5rem; max-width: 44rem; }
.note p { margin: 0; }

.clusters, .accounts, .cards { list-style: none; margin: 0; padding: 0; }
.clusters > li { border-top: 1px solid var(--line); }
.clusters > li:last-child { border-bottom: 1px solid var(--line); }
summary { margin-left: 1.125rem; padding: 0.625rem 0; list-style-position: outside; font-weight: 600; cursor: pointer; }
summary:hover { text-decoration: underline; text-underline-offset: 0.15em; }
summary::marker { color: var(--brand); }
.clusters details > ul { margin: 0 0 0.75rem; padding-left: 2.25rem; color: var(--muted); font-size: 0.9375rem; }
.clusters details li + li { margin-top: 0.25rem; }
.facts { margin: 1.25rem 0 0; display: grid; gap: 0.75rem 1.5rem; }
.facts dt { font-size: 0.875rem; color: var(--muted); }
.facts dd { margin: 0; }
.one-line .facts { gap: 0.5rem; }
.one-line .facts dt, .one-line .facts dd { display: inline; font-size: 1rem; }
.one-line .facts dt::after { content: ":"; }
.plain { margin: 0; padding-left: 1.25rem; }
.plain li + li { margin-top: 0.5rem; }
.accounts li + li { margin-top: 0.375rem; }
.account-name { display: block; font-weight: 600; }
.account-kind { display: block; color: var(--muted); font-size: 0.9375rem; font-variant-numeric: tabular-nums; }

.field { margin: 0 0 1.25rem; }
.field label { display: block; font-weight: 600; margin-bottom: 0.375rem; }
.field .hint { display: block; margin-bottom: 0.5rem; }
input[type="text"], input[type="password"] {
  display: block; width: 100%; min-height: 3rem; padding: 0.5rem 0.75rem; font: inherit;
  color: var(--text); background: var(--surface); border: 1px solid var(--edge); border-radius: 0.375rem;
}
input[aria-invalid="true"] { border: 2px solid var(--problem); }
input.code { max-width: 14rem; font-size: 1.25rem; letter-spacing: 0.15em; font-variant-numeric: tabular-nums; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
legend { font-size: 1.1875rem; font-weight: 700; line-height: 1.3; padding: 0; margin-bottom: 0.25rem; }
fieldset .hint { margin-bottom: 0.25rem; }
fieldset[aria-invalid="true"] .choices { border-color: var(--problem); }
.choices { border: 1px solid var(--edge); border-radius: 0.375rem; }
.choice { display: flex; align-items: center; gap: 0.875rem; padding: 0.375rem 0.875rem; min-height: 3rem; line-height: 1.3; cursor: pointer; }
.choice + .choice { border-top: 1px solid var(--line); }
.choice:hover { background: var(--inset); }
.choice:has(:checked) { background: var(--inset); box-shadow: inset 0.25rem 0 0 var(--brand); }
.choice > span { min-width: 0; }
.choice.withheld { cursor: not-allowed; background: none; }
.choice.withheld .account-name { font-weight: 400; }
/* Drawn by ourselves: a browser's own box in dark colours looks like one that is disabled. */
input[type="checkbox"] { appearance: none; flex: none; display: grid; place-content: center; width: 1.5rem; height: 1.5rem; margin: 0; background: var(--surface); border: 2px solid var(--text); border-radius: 0.25rem; }
input[type="checkbox"]:disabled { background: var(--inset); border: 1px dashed var(--edge); }
input[type="checkbox"]:checked { background: var(--brand); border-color: var(--brand); }
input[type="checkbox"]:checked::before { content: ""; width: 0.5rem; height: 0.875rem; border: solid var(--on-brand); border-width: 0 0.1875rem 0.1875rem 0; transform: translateY(-0.0625rem) rotate(45deg); }

.button {
  display: inline-block; align-content: center; min-height: 3rem; padding: 0.625rem 1.25rem;
  font: inherit; font-weight: 600; line-height: 1.25; text-align: center; text-decoration: none; cursor: pointer;
  border: 2px solid var(--brand); border-radius: 0.375rem; overflow-wrap: anywhere;
}
.button:hover { text-decoration: underline; text-underline-offset: 0.2em; }
.button:disabled { opacity: 0.6; cursor: default; }
.button.main { background: var(--brand); color: var(--on-brand); }
.button.other { background: var(--surface); color: var(--brand); }
.button.quiet { background: none; border-width: 2px 0; border-color: transparent; padding: 0.625rem 0; text-align: left; color: var(--brand); text-decoration: underline; text-underline-offset: 0.15em; font-weight: 400; }
.button.masthead { min-height: 2.5rem; padding: 0.375rem 0.875rem; background: none; border: 1px solid currentcolor; color: inherit; overflow-wrap: break-word; }
.buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.25rem; margin: 0; }
fieldset + .buttons, .facts + .buttons, .buttons + .buttons { margin-top: 1.25rem; }
.decision { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 0.75rem; margin: 0; max-width: 32rem; }
.panel .decision { margin-top: 1.5rem; }
.afterwards { margin: 1rem 0; }
.decision-bar { margin: 0 -1rem; padding: 0.75rem 1rem; background: var(--page); border-top: 1px solid var(--line); }
.decision .button { padding-left: 0.5rem; padding-right: 0.5rem; }
.notice .buttons { margin-top: 1.5rem; }

section + section { margin-top: 2rem; }
.two-columns > section + section { margin-top: 0; }
.cards { display: grid; gap: 1.5rem; }
.rows { list-style: none; margin: 0.625rem 0 0; padding: 0; display: grid; gap: 0.5rem; }
.card.panel { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: 0.25rem 1rem; padding: 0.375rem 1rem; }
.card > details { flex: 1 1 16rem; min-width: 0; }
.card > .button { min-height: 2.5rem; padding: 0.375rem 0.875rem; }
.past > summary { padding: 0.25rem 0; }
.past > summary h2 { display: inline; }
.past > .cards, .past > .panel { margin-top: 1rem; }
details .shared { padding-bottom: 0.5rem; }
.card .clusters { margin-top: 0.375rem; }

/* Approve and Deny stay at the window's lower edge where the window is high enough. The focused element is scrolled clear of
   them (WCAG 2.2, 2.4.11). */
@media (min-height: 28rem) {
  .decision-bar { position: sticky; bottom: 0; }
  html:has(.decision-bar) { scroll-padding-bottom: 8rem; }
}
@media (min-width: 48rem) {
  .frame { padding: 0 2rem; }
  main.frame { padding-top: 2.5rem; }
  h1 { font-size: 2rem; }
  .panel { padding: 1.75rem; }
  .two-columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2rem; }
      .decision-bar { margin: 0 -2rem; padding: 0.75rem 2rem; }
  .card .facts { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .shared { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 2fr); gap: 0 2rem; grid-auto-flow: column; grid-template-rows: auto auto; }
}
@media (forced-colors: active) {
  .button, .panel, .choices { border-color: currentcolor; }
  input[type="checkbox"] { appearance: auto; }
}
@media print {
  .skip, .buttons, .decision, .masthead form { display: none; }
}
`;
