import { escapedHtml } from '../../src/open-banking/html-text.js';
import { duration, instant } from '../../src/trail/words.js';
import { plotFigure, type Plot } from './plot.js';
import type { DayStatistics, Statistics } from './statistics.js';
import type { Cell } from '../csv.js';

/** No font, picture or style of the page comes from elsewhere. */
const pageStyle = `
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

/**
 * The page that a bank publishes: one file without a script, and without anything from elsewhere. Each plot has a table with
 * the same values.
 * @param bank any text
 */
export function statisticsPage(statistics: Statistics, bank: string): string {
  const { quarter, from, to, incomplete, interfaces, rules, figures, downtimes } = statistics;
  const [all, ...versions] = interfaces;
  const sections = [all, ...(versions.length > 1 ? versions : [])].flatMap((one) => one ?? []);
  const title = `Account information at ${bank}: availability and performance, ${quarter}`;
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${escapedHtml(title)}</h1>
<p>From ${from} to ${to}, in UTC.${incomplete ? ' <strong>Incomplete: the quarter has not ended.</strong>' : ''}</p>
${sections.map(({ version, quarter: row, days }) => sectionOf(version, row, days)).join('\n')}
<section aria-labelledby="downtimes"><h2 id="downtimes">Downtimes</h2>${downtimeTable(downtimes, all?.days ?? [])}</section>
<section aria-labelledby="rules"><h2 id="rules">How the figures are made</h2>
<ul>${rules.map((rule) => `<li>${escapedHtml(rule)}</li>`).join('')}</ul>
<dl>${figures.map(({ name, rule }) => `<dt>${name}</dt><dd>${escapedHtml(rule)}</dd>`).join('')}</dl></section>
</main>
</body>
</html>
`;
}

function sectionOf(version: string, quarter: Readonly<Record<string, Cell>>, days: readonly DayStatistics[]): string {
  const heading = version === 'all' ? 'The whole interface' : `Version ${version}`;
  const id = `interface-${version.replaceAll(/[^a-z0-9]/gi, '-')}`;
  const facts = [
    ['Uptime', 'uptime-percent', '%'],
    ['Mean time to the last byte', 'mean-ttlb-ms', 'ms'],
    ['95 % of answers within', 'p95-ttlb-ms', 'ms'],
    ['Error rate', 'error-rate-percent', '%'],
    ['Requests', 'requests', ''],
  ] as const;
  const figures = facts.map(
    ([label, name, unit]) => `<div><dt>${label}</dt><dd>${shown(quarter[name], unit)}</dd></div>`,
  );
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapedHtml(heading)}</h2>
<dl class="facts">${figures.join('')}</dl>
${plotsOf(days, heading)
  .map((plot) => `${plotFigure(plot)}\n${tableOf(plot)}`)
  .join('\n')}</section>`;
}

function plotsOf(days: readonly DayStatistics[], heading: string): Plot[] {
  const plotted = (...values: ((figures: DayStatistics['figures']) => number | undefined)[]) =>
    days.map(({ day, state, figures }) => ({
      day,
      isMarked: state !== 'complete',
      values: values.map((value) => value(figures)),
    }));
  const seconds = (name: string) => (figures: DayStatistics['figures']) => minutes(figures[name]);
  const plain = (name: string) => (figures: DayStatistics['figures']) => numberOf(figures[name]);
  const plots: Omit<Plot, 'summary'>[] = [
    {
      title: 'Downtime by day',
      unit: 'minutes',
      series: ['Unplanned', 'Planned'],
      days: plotted(seconds('unplanned-downtime-seconds'), seconds('planned-downtime-seconds')),
    },
    {
      title: 'Mean time to the last byte by day',
      unit: 'milliseconds',
      series: ['Mean'],
      days: plotted(plain('mean-ttlb-ms')),
      benchmark: { value: 750, label: 'Benchmark: 750 ms' },
    },
    {
      title: 'Error rate by day',
      unit: 'percent of requests',
      series: ['Error rate'],
      days: plotted(plain('error-rate-percent')),
      benchmark: { value: 0.5, label: 'Benchmark: 0.5 %' },
    },
  ];
  return plots.map((plot) => ({ ...plot, summary: summaryOf(plot, heading) }));
}

function summaryOf({ title, unit, days }: Omit<Plot, 'summary'>, heading: string): string {
  const sums = days.flatMap(({ day, values }) => {
    const numbers = values.flatMap((value) => value ?? []);
    return numbers.length === 0 ? [] : [{ day, value: numbers.reduce((sum, value) => sum + value, 0) }];
  });
  if (sums.length === 0) return `${heading}: ${title}, in ${unit}: no day is known.`;
  const most = sums.reduce((one, other) => (other.value > one.value ? other : one), { day: '', value: 0 });
  const highest = most.value === 0 ? 'every known day has 0' : `the highest is ${rounded(most.value)} on ${most.day}`;
  return `${heading}: ${title}, in ${unit}: ${highest}. The table after the plot has all values.`;
}

function tableOf({ title, unit, series, days }: Plot): string {
  const head = ['Day', ...series.map((name) => `${name} (${unit})`)].map(
    (name) => `<th scope="col">${escapedHtml(name)}</th>`,
  );
  const rows = days.map(
    ({ day, values, isMarked }) =>
      `<tr><th scope="row">${day}${isMarked ? ' (not covered in full)' : ''}</th>${values
        .map((value) => `<td>${value === undefined ? 'unknown' : rounded(value)}</td>`)
        .join('')}</tr>`,
  );
  return `<details><summary>Table: ${escapedHtml(title)}</summary><table><caption>${escapedHtml(title)}</caption>
<thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></details>`;
}

function downtimeTable(downtimes: Statistics['downtimes'], days: readonly DayStatistics[]): string {
  const isCovered = days.every(({ state }) => state === 'complete');
  if (downtimes.length === 0) return isCovered ? '<p>None.</p>' : '<p>None on the days that are covered.</p>';
  const rows = downtimes.map(
    ({ begin, end, goesOn, seconds, plannedSeconds }) =>
      `<tr><th scope="row">${instant(Date.parse(begin))}</th><td>${goesOn ? 'goes on' : instant(Date.parse(end))}</td><td>${duration(seconds * 1_000)}</td><td>${plannedSeconds === 0 ? 'no part' : duration(plannedSeconds * 1_000)}</td></tr>`,
  );
  return `<table><caption>Downtimes of the whole interface</caption><thead><tr><th scope="col">Begin</th><th scope="col">End</th><th scope="col">Length</th><th scope="col">Planned</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

function shown(value: Cell | undefined, unit: string): string {
  return typeof value === 'number'
    ? `${value.toLocaleString('en-GB', { maximumFractionDigits: 4 })} ${unit}`.trim()
    : 'unknown';
}

function numberOf(value: Cell | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function minutes(value: Cell | undefined): number | undefined {
  return typeof value === 'number' ? value / 60 : undefined;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
