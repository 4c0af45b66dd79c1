import { describe, expect, it } from '@jest/globals';
import { SeenIds } from './seen-ids.js';

/** Which of the ids came before, by their places. */
function repeated(ids: readonly string[]): number[] {
  const seen = new SeenIds();
  return ids.flatMap((id, index) => (seen.repeats(id) ? [index] : []));
}

describe('an id that comes again in one answer', () => {
  it.each([
    ['right after the first', 'a a b', [1]],
    ['among ids that rise', 'a b c b d', [3]],
    ['among ids that fall', 'd c b c a', [3]],
    ['after the order has turned', 'a c b c a', [3, 4]],
    ['three times', 'a b a b a', [2, 3, 4]],
    ['at the very end', 'e d c b a e', [5]],
    ['where nothing does', 'b a c 10 9', []],
  ])('is found %s', (_where, ids, places) => {
    expect(repeated(ids.split(' '))).toEqual(places);
  });

  it('is found wherever a plain set finds it, in every answer of up to six records', () => {
    const letters = ['a', 'b', 'c'];
    let answers: string[][] = [[]];
    for (let length = 1; length <= 6; length++) {
      answers = answers.flatMap((answer) => letters.map((letter) => [...answer, letter]));
      for (const answer of answers)
        expect([answer, repeated(answer)]).toEqual([
          answer,
          answer.flatMap((id, index) => (answer.indexOf(id) < index ? [index] : [])),
        ]);
    }
  });
});
