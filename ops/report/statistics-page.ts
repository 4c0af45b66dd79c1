import { escapedHtml } from '../../src/open-banking/html-text.js';
import { duration, instant } from '../../src/trail/words.js';
import { plotFigure, type Plot } from './plot.js';
import { pageStyle } from './statistics-style.js';
import type { DayStatistics, Statistics } from './statistics.js';
import type { Cell } from '../csv.js';

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
