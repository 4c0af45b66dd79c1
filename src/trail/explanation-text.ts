import type { Explanation } from './explain.js';
import { instant } from './words.js';

/** An explanation as a person reads it at a terminal. */
export function explanationText(explanation: Explanation): string {
  const { at, instance, asked, outcome, reason, neededToPass, core, errorId } = explanation;
  return [
    `At ${momentOf(at)} ${asked}.`,
    outcome && sentence(outcome),
    ...checkLines(explanation),
    reason && `Reason ${reason.name}: ${reason.meaning}`,
    reason && `Remedy: ${reason.remedy}`,
    neededToPass && `Needed to pass: ${neededToPass}.`,
    core && sentence(core),
    errorId && `The caller received the error id ${errorId}.`,
    instance && `Written by ${instance}.`,
  ]
    .filter(Boolean)
    .join('\n');
}

const marks = { passed: '+', refused: 'x', 'not reached': '-' } as const;

function checkLines({ checks }: Explanation): readonly string[] {
  return checks.map(
    ({ name, outcome, facts }) => `  ${marks[outcome]} ${name}: ${outcome}${facts === undefined ? '' : ` (${facts})`}`,
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** A line of an attacker may hold any text in place of a time. */
function momentOf(at: string): string {
  const atMs = Date.parse(at);
  return Number.isNaN(atMs) ? at : instant(atMs);
}
