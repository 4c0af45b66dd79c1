import { escapedHtml } from '../../src/open-banking/html-text.js';

/** The value of a day in a plot; `undefined` where it is not known. */
export interface PlottedDay {
  readonly day: string;
  /** Values that are stacked, one of each series. */
  readonly values: readonly (number | undefined)[];
  readonly isMarked: boolean;
}

export interface Plot {
  readonly title: string;
  /** The summary for a reader who does not see the plot. */
  readonly summary: string;
  readonly unit: string;
  readonly series: readonly string[];
  readonly days: readonly PlottedDay[];
  /** A line at the benchmark of the guidelines. */
  readonly benchmark?: { readonly value: number; readonly label: string };
}

/** The drawing is stretched to the width of the page, so all texts are outside. */
const [width, height] = [920, 200];

/** Bars by day as a figure without a script; its labels are text of the page, which a phone shows at full size. */
export function plotFigure(plot: Plot): string {
  const { title, summary, unit, series, days, benchmark } = plot;
  const top = topOf(Math.max(benchmark?.value ?? 0, ...days.map(({ values }) => sum(values))));
  const heightOf = (value: number) => height - (value / top) * height;
  const step = width / Math.max(days.length, 1);
  const bars = days.map((day, index) => dayBars(day, index * step, step, heightOf, series.length === 1)).join('');
  const line =
    benchmark === undefined
      ? ''
      : `<line class="benchmark" x1="0" x2="${width}" y1="${rounded(heightOf(benchmark.value))}" y2="${rounded(heightOf(benchmark.value))}"/>`;
  const legend = [
    ...(series.length > 1 ? series.map((name, index) => key(`s${index}`, name)) : []),
    ...(benchmark === undefined ? [] : [key('benchmark', benchmark.label)]),
    ...(days.some(({ isMarked }) => isMarked)
      ? [key('marked', 'The trail does not cover the day, or only a part of it')]
      : []),
  ].join('');
  return `<figure><figcaption>${escapedHtml(title)}, ${escapedHtml(unit)}</figcaption>
<div class="plot"><div class="scale"><span>${top}</span><span>${top / 2}</span><span>0</span></div>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${escapedHtml(summary)}">${bars}${line}</svg>
<div class="dates"><span>${days[0]?.day ?? ''}</span><span>${days.at(-1)?.day ?? ''}</span></div></div>
${legend === '' ? '' : `<ul class="legend">${legend}</ul>`}</figure>`;
}

function dayBars(
  { values, isMarked }: PlottedDay,
  x: number,
  step: number,
  heightOf: (value: number) => number,
  isAlone: boolean,
): string {
  const bar = (name: string, y: number, tall: number) =>
    `<rect class="${name}" x="${rounded(x + step * 0.1)}" y="${rounded(y)}" width="${rounded(step * 0.8)}" height="${rounded(tall)}"/>`;
  let under = 0;
  const stacked = values.map((value = 0, index) => {
    const y = heightOf(under + value);
    const tall = heightOf(under) - y;
    under += value;
    return value > 0 ? bar(isAlone ? 'alone' : `s${index}`, y, tall) : '';
  });
  return (isMarked ? bar('marked', 0, height) : '') + stacked.join('');
}

/** The least of 1, 2 and 5 times a power of ten that is not smaller; 1 where all are 0. */
function topOf(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= most) ?? 10;
  return Number((factor * power).toPrecision(1));
}

function sum(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value = 0) => total + value, 0);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function key(name: string, label: string): string {
  return `<li><svg class="key" viewBox="0 0 12 12" aria-hidden="true">${
    name === 'benchmark'
      ? '<line class="benchmark" x1="0" x2="12" y1="6" y2="6"/>'
      : `<rect class="${name}" width="12" height="12"/>`
  }</svg>${escapedHtml(label)}</li>`;
}
