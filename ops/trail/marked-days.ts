/** A day that the trail does not cover as a whole. */
export interface MarkedDay {
  readonly day: string;
  /** `partial`, `missing`, `dropped` or `incomplete` (docs/operate/reports.md, Availability). */
  readonly state: string;
}

const dayMs = 86_400_000;

const meanings: Readonly<Record<string, string>> = {
  partial: 'the trail begins or ends on that day',
  missing: 'it has no event',
  dropped: 'retention deleted it',
  incomplete: 'a segment is in no folder that was searched: give the folder of each machine with --trail',
};

/** A line for each run of days of the same state. */
export function markedDaysText(marked: readonly MarkedDay[]): string[] {
  const runs: { readonly first: string; last: string; readonly state: string }[] = [];
  for (const { day, state } of marked) {
    const run = runs.at(-1);
    if (run?.state === state && Date.parse(day) - Date.parse(run.last) === dayMs) run.last = day;
    else runs.push({ first: day, last: day, state });
  }
  return runs.map(({ first, last, state }) => {
    const span = first === last ? first : `${first} to ${last}`;
    return `The trail of ${span} is ${state}: ${meanings[state] ?? 'it has an unknown state'}.`;
  });
}
