/** No font, picture or style of the page comes from elsewhere. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1b1f24; --page: #fff; --line: #6b7280; --s0: #b42318; --s1: #1d5fa8; --marked: #d9dce1; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8eaed; --page: #16191d; --line: #9aa3af; --s0: #f58a7f; --s1: #7db4ee; --marked: #3a4049; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.25rem; margin-top: 2rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; margin: 1rem 0; }
.facts dt { font-size: 0.875rem; }
.facts dd { margin: 0; font-size: 1.25rem; font-weight: 600; }
dt { font-weight: 600; }
dd { margin: 0 0 0.5rem; }
figure { margin: 1.5rem 0 0.5rem; }
figcaption { font-weight: 600; }
.plot { display: grid; grid-template-columns: auto 1fr; column-gap: 0.5rem; font-size: 0.875rem; }
.plot > svg { width: 100%; height: 12rem; border: solid var(--line); border-width: 0 0 1px 1px; }
.scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; }
.dates { grid-column: 2; display: flex; justify-content: space-between; }
.s0 { fill: var(--s0); }
.s1, .alone { fill: var(--s1); }
.marked { fill: var(--marked); }
.benchmark { stroke: var(--text); stroke-width: 2; stroke-dasharray: 6 4; vector-effect: non-scaling-stroke; }
.legend { list-style: none; margin: 0.25rem 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1rem; font-size: 0.875rem; }
.key { width: 0.75rem; height: 0.75rem; margin-right: 0.375rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0.5rem 0; }
th, td { text-align: left; padding: 0.25rem 0.5rem 0.25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: normal; }
@media (max-width: 30rem) { table { font-size: 0.8125rem; } td { overflow-wrap: anywhere; } }
summary { padding: 0.5rem 0; cursor: pointer; min-height: 1.5rem; }
`;
