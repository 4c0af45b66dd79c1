import { type ClauseId, type ClauseResult, clauses } from '../packages/adapter-kit/adapter-kit.js';
import { marks } from '../packages/adapter-kit/check-printing.js';

export type Outcomes = ReadonlyMap<ClauseId, Pick<ClauseResult, 'outcome' | 'reason'>>;

/** Adapter by clause as a Markdown table; under it, why clauses are omitted. */
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
