import { type ClauseId, type ClauseResult, clauses } from '../packages/adapter-kit/adapter-kit.js';

export type Outcomes = ReadonlyMap<ClauseId, Pick<ClauseResult, 'outcome' | 'reason'>>;

const marks = { kept: '✓', broken: '✗', 'left-out': '–' } as const;

/** Adapter by clause as a Markdown table; under it, why clauses are left out. */
export function report(adapters: ReadonlyMap<string, Outcomes>): string {
  const names = [...adapters.keys()];
  const width = Math.max(...clauses.map(({ sentence }) => sentence.length));
  const row = (first: string, ...cells: string[]): string => `| ${first} | ${cells.join(' | ')} |`;
  const cell = (name: string, id: ClauseId): string => {
    const outcome = adapters.get(name)?.get(id)?.outcome;
    return (outcome === undefined ? ' ' : marks[outcome]).padEnd(name.length);
  };
  const lines = [
    row(`${'clause'.padEnd(7)} | ${''.padEnd(width)}`, ...names),
    row(`${'-'.repeat(7)} | ${'-'.repeat(width)}`, ...names.map((name) => '-'.repeat(name.length))),
    ...clauses.map(({ id, sentence }) =>
      row(`${id} | ${sentence.padEnd(width)}`, ...names.map((name) => cell(name, id))),
    ),
  ];
  const reasons = names.flatMap((name) =>
    [...(adapters.get(name) ?? [])].flatMap(([id, { outcome, reason }]) =>
      outcome === 'left-out' ? [`- ${name}, ${id}: ${reason ?? ''}`] : [],
    ),
  );
  return [...lines, ...(reasons.length > 0 ? ['', ...reasons] : [])].join('\n');
}

/** One line for each clause, as they are judged. */
export function resultLine({ clause, outcome, reason }: ClauseResult): string {
  const line = `${marks[outcome]} ${clause.id} ${clause.sentence}`;
  if (reason === undefined) return line;
  return outcome === 'broken' ? `${line}\n    ${reason.replaceAll('\n', '\n    ')}` : `${line} (left out: ${reason})`;
}
